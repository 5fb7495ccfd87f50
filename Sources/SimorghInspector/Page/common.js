// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

export const $ = (id) => document.getElementById(id);

/** Makes an element with a text node; data never becomes markup. */
export function make(name, text = "", attributes = {}) {
  const element = document.createElement(name);
  if (text !== "") element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/**
 * Makes the content of an element equal to new content. Elements that are equal already stay, and others change in place, so that focus,
 * scroll position and selected text are kept while a call runs.
 */
export function renew(element, content) {
  content.forEach((fresh, index) => {
    const kept = element.childNodes[index];
    if (!kept) return element.append(fresh);
    if (kept.isEqualNode(fresh)) return;
    if (kept.nodeName !== fresh.nodeName) return kept.replaceWith(fresh);
    if (kept.nodeType === Node.TEXT_NODE) {
      // Text that grows keeps the selection in its beginning.
      if (fresh.data.startsWith(kept.data)) kept.appendData(fresh.data.slice(kept.data.length)); else kept.data = fresh.data;
      return;
    }
    for (const name of kept.getAttributeNames()) if (!fresh.hasAttribute(name)) kept.removeAttribute(name);
    // The policy of the page forbids the attribute `style`, but not the property.
    for (const { name, value } of fresh.attributes) if (name === "style") kept.style.cssText = value; else kept.setAttribute(name, value);
    renew(kept, [...fresh.childNodes]);
  });
  while (element.childNodes.length > content.length) element.lastChild.remove();
}

/** Sets a text only if it differs: screen readers would repeat it. */
export function say(element, text, isBad = false) {
  if (element.textContent !== text) element.textContent = text;
  element.classList.toggle("bad", isBad);
}

const gone = "the process does not answer: has it ended?";
async function reach(path, options) {
  const response = await fetch(path, options).catch(() => { throw new Error(gone); });
  if (!response.ok) throw new Error((await response.text().catch(() => "")).trim() || `the inspector answered ${response.status}`);
  return response;
}
export const ask = async (path) => (await reach(path)).json();
export const askText = async (path) => (await reach(path)).text();
export const post = async (path, body = "") => (await reach(path, { method: "POST", body })).json();

export function size(bytes) {
  if (bytes == null) return "";
  const units = ["B", "KB", "MB", "GB"];
  let step = 0;
  while (bytes >= 1024 && step < 3) { bytes /= 1024; step += 1; }
  return `${bytes.toFixed(step && bytes < 100 ? 1 : 0)} ${units[step]}`;
}

export function time(milliseconds) {
  if (milliseconds == null) return "";
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)} µs`;
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60000) return `${(milliseconds / 1000).toFixed(milliseconds < 10000 ? 2 : 1)} s`;
  return `${Math.floor(milliseconds / 60000)} min ${Math.round((milliseconds % 60000) / 1000)} s`;
}

/** The parts of a URL for display; a text that is no URL is all path. */
export function parts(url) {
  const match = /^[a-z]+:\/\/([^/?#]*)(.*)$/i.exec(url);
  return match ? { host: match[1], path: match[2] || "/" } : { host: "", path: url || "(no URL)" };
}

/** Reports a change of tabs, by mouse and by arrow keys. */
export function tabs(list, chosen) {
  const all = () => [...list.querySelectorAll("[role=tab]")].filter((tab) => !tab.hidden);
  const choose = (tab, focus = false) => {
    for (const other of list.querySelectorAll("[role=tab]")) {
      other.setAttribute("aria-selected", other === tab);
      other.tabIndex = other === tab ? 0 : -1;
      $(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
    if (focus) tab.focus();
    chosen(tab.getAttribute("aria-controls"));
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const shown = all();
    const index = shown.indexOf(event.target.closest("[role=tab]"));
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (index < 0 || to === undefined) return;
    event.preventDefault();
    choose(shown[(to + shown.length) % shown.length], true);
  });
  return choose;
}

const spaces = (depth) => `\n${"  ".repeat(Math.min(depth, 60))}`;
/** The largest number of tokens to color, each of which is an element. */
const most = 50000;
/** Indents JSON without parsing its values, so that long numbers and repeated names stay as they were sent; null if it is not JSON, or too long. */
export function tokens(text) {
  const found = [];
  const pattern = /\s+|"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gy;
  let depth = 0;
  let end = 0;
  // The last string that can be the name of a member.
  let name = null;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    end = pattern.lastIndex;
    const token = match[0];
    if (/^\s/.test(token)) continue;
    const last = found.at(-1)?.text;
    if ("}]".includes(token)) {
      depth -= 1;
      if (depth < 0) return null;
      found.push({ text: last === (token === "}" ? "{" : "[") ? token : spaces(depth) + token });
    } else {
      const isFirst = last === "{" || last === "[" || last?.trim() === "{" || last?.trim() === "[";
      const lead = last === undefined ? "" : depth === 0 ? "\n" : isFirst || last.trim() === "," ? spaces(depth) : last === ":" ? " " : "";
      const isMark = "{[,:".includes(token);
      if ("{[".includes(token)) depth += 1;
      if (lead) found.push({ text: lead });
      found.push({ text: token, kind: isMark ? "" : token.startsWith('"') ? "str" : "num" });
      if (token === ":" && name) [name.kind, name] = ["key", null];
      else if (token.startsWith('"')) name = found.at(-1);
    }
    if (found.length > most) return null;
  }
  return end === text.length && depth === 0 ? found : null;
}

/** The largest text to color. */
const largest = 200000;
/** Makes a block of text; JSON is indented and colored. */
export function block(text, isJSON) {
  const pre = make("pre", "", { tabindex: "0" });
  const found = isJSON && text.length <= largest ? tokens(text) : null;
  if (!found) { pre.textContent = text; return pre; }
  for (const { text: token, kind } of found) pre.append(kind ? make("span", token, { class: kind }) : token);
  return pre;
}

export async function copy(text) {
  try { await navigator.clipboard.writeText(text); } catch {
    // The clipboard is not available in a frame of another origin.
    const focused = document.activeElement;
    const area = make("textarea", text);
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    focused?.focus({ preventScroll: true });
    if (!isDone) throw new Error("the browser does not allow copying here");
  }
}
