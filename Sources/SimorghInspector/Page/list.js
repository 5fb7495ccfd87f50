// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import { $, make, parts, size, time } from "./common.js";

/** The calls by number, the oldest first, and their rows. */
export const calls = new Map();
const rows = new Map();
/** The words of the filter, the pressed buttons, the client of the address, and the calls that a search found. */
export const filter = { words: [], only: new Set(), client: "", found: null };
/** The duration of the slowest kept call, and the duration that the bars are drawn for, in milliseconds. */
let [slowest, scale] = [1, 1];
/** The number of calls of a file, of which only the last ones may be kept; 0 without a file. */
let total = 0;
export const setTotal = (value) => { total = value; };
let chosen = null;

const isLive = (call) => call.kind !== "http";
const isRunning = (call) => call.stage === "running" || call.stage === "open";
const isFailed = (call) => call.stage === "failed" || call.status >= 400;
const isCached = (call) => ["hit", "stale", "revalidated"].includes(call.cache);
// Without a prototype, whose members are no filters.
const states = {
  __proto__: null,
  running: isRunning, failed: isFailed, live: isLive, cached: isCached,
  retried: (call) => call.attempts > 1 + call.redirects, redirected: (call) => call.redirects > 0,
};

const isPlain = (word) => !/^-|^(method|status|host|type|client|is):/.test(word);
/** Returns a test of one word of the filter. */
function test(word) {
  const isNot = word.length > 1 && word.startsWith("-");
  const plain = isNot ? word.slice(1) : word;
  const colon = plain.indexOf(":");
  const name = plain.slice(0, Math.max(0, colon));
  const value = plain.slice(colon + 1);
  const by = {
    __proto__: null,
    method: (call) => call.method.toLowerCase() === value,
    status: (call) => String(call.status ?? "").startsWith(value.replace(/x+$/, "")) && call.status != null,
    host: (call) => parts(call.url).host.toLowerCase().includes(value),
    type: (call) => (call.mediaType ?? "").includes(value),
    client: (call) => call.client.toLowerCase() === value,
    is: (call) => states[value]?.(call) ?? false,
  }[name];
  const holds = by && value ? by : (call) => (isPlain(word) && filter.found?.has(call.number)) || call.url.toLowerCase().includes(plain);
  return isNot ? (call) => !holds(call) : holds;
}

export function setFilter(text) {
  const searched = plainWords().join(" ");
  filter.words = text.toLowerCase().split(/\s+/).filter(Boolean);
  // The calls that were found have other words.
  if (plainWords().join(" ") !== searched) filter.found = null;
  filter.tests = filter.words.map(test);
}
/** The words that are searched for in headers and bodies. */
export const plainWords = () => filter.words.filter(isPlain);
const passes = (call) =>
  (!filter.client || call.client === filter.client) && [...filter.only].every((name) => states[name](call))
  && (filter.tests ?? []).every((holds) => holds(call));
export const isFiltered = () => filter.words.length > 0 || filter.only.size > 0 || filter.client !== "";

/** The words and the color of a call's status. */
export function status(call) {
  if (call.stage === "running") return [call.status ? `${call.status}` : "…", "s-live"];
  if (call.stage === "open") return ["open", "s-live"];
  if (call.stage === "cancelled") return ["cancelled", "s-warn"];
  if (call.stage === "failed") return [call.status ? `${call.status}` : "failed", "s-bad"];
  if (call.status >= 400) return [`${call.status}`, "s-bad"];
  if (call.status >= 300) return [`${call.status}`, "s-warn"];
  return [`${call.status ?? "done"}`, "s-good"];
}

/** Draws the phases of the last attempt, after the time that the earlier ones took. */
export function draw(track, call, whole) {
  const pieces = [];
  let place = 0;
  const piece = (name, length) => {
    if (!(length > 0)) return;
    const bit = make("i", "", { class: name });
    bit.style.left = `${(place / whole) * 100}%`;
    bit.style.width = `${(Math.min(length, whole - place) / whole) * 100}%`;
    pieces.push(bit);
    place += length;
  };
  piece("before", call.before);
  for (const phase of call.phases) piece(phase.name, phase.milliseconds);
  if (isRunning(call)) piece("open", whole - place);
  else if (call.milliseconds > place) piece("body", call.attempts ? call.milliseconds - place : 0);
  track.replaceChildren(...pieces);
}

function newRow(call) {
  const row = make("div", "", { role: "row", tabindex: "-1", id: `call-${call.number}`, "data-number": call.number });
  for (const name of ["status", "method", "url", "type", "size", "time", "bar"]) row.append(make("span", "", { role: "gridcell", class: `c-${name}` }));
  row.children[6].append(make("span", "", { class: "track" }));
  row.children[6].firstChild.style.display = "block";
  return row;
}

function paint(row, call) {
  const [words, color] = status(call);
  row.className = `row ${color}`;
  const [state, method, url, type, bytes, took, bar] = row.children;
  state.replaceChildren(make("span", "", { class: "dot" }), make("span", words));
  method.textContent = call.kind === "socket" ? "WS" : call.method;
  const { host, path } = parts(call.url);
  const tags = [];
  if (call.kind !== "http" && call.messages) tags.push(call.messages === 1 ? "1 message" : `${call.messages} messages`);
  if (call.cache && call.cache !== "miss") tags.push(`cache ${call.cache}`);
  if (call.redirects) tags.push(call.redirects === 1 ? "redirected" : `${call.redirects} redirects`);
  const tries = call.attempts - call.redirects;
  if (tries > 1) tags.push(`${tries} attempts`);
  if (call.repeats) tags.push(`again: ${call.repeats}`);
  url.replaceChildren(make("b", path), make("small", host), ...tags.map((tag) => make("span", tag, { class: "tag" })));
  url.title = call.url;
  type.textContent = (call.mediaType ?? "").replace(/^(application|text|image)\//, "");
  bytes.textContent = call.received ? size(call.received) : "";
  took.textContent = isRunning(call) ? "" : time(call.milliseconds);
  bar.title = call.phases.map((phase) => `${phase.name} ${time(phase.milliseconds)}`).join(", ");
  draw(bar.firstChild, call, scale);
}

/** Takes changed calls, and drops those before the first number that is kept. */
export function take(changed, first) {
  const focused = document.activeElement?.closest("#rows > .row");
  // The order is that of arrival, not of the numbers.
  for (const number of [...calls.keys()]) if (number < first) drop(number);
  if (focused && !focused.isConnected) focus($("rows").firstElementChild);
  for (const call of changed) if (call.number >= first) calls.set(call.number, call);
  slowest = 1;
  for (const call of calls.values()) if (!isRunning(call) && call.kind === "http") slowest = Math.max(slowest, call.milliseconds ?? 0);
  // Bars that differ little are not drawn again.
  const isRescaled = slowest > scale * 1.05 || slowest < scale / 1.05;
  if (isRescaled) scale = slowest;
  for (const call of isRescaled ? calls.values() : changed) if (calls.has(call.number)) place(call);
}
function drop(number) {
  calls.delete(number);
  rows.get(number)?.remove();
  rows.delete(number);
}
/** Removes a row; its focus moves to the next one. */
function hide(number) {
  const row = rows.get(number);
  if (!row) return;
  const next = row.nextElementSibling ?? row.previousElementSibling;
  const hadFocus = row === document.activeElement;
  row.remove();
  rows.delete(number);
  if (hadFocus) focus(next);
}
/** Moves the focus to a row, or to the filter if there is no row. */
function focus(row) {
  if (row) focusRow(row); else $("filter").focus();
}
export function clear() {
  const hadFocus = $("rows").contains(document.activeElement);
  for (const kept of [calls, rows]) kept.clear();
  $("rows").replaceChildren();
  if (hadFocus) $("filter").focus();
}

/** Shows, moves or hides the row of a call. The rows are in the order of the calls' numbers. */
function place(call) {
  let row = rows.get(call.number);
  if (!passes(call)) return hide(call.number);
  if (!row) {
    row = newRow(call);
    rows.set(call.number, row);
    let after = $("rows").lastElementChild;
    while (after && Number(after.dataset.number) > call.number) after = after.previousElementSibling;
    if (after) after.after(row); else $("rows").prepend(row);
    row.setAttribute("aria-selected", call.number === chosen);
  }
  paint(row, call);
}
export function refilter() { for (const call of calls.values()) place(call); reachable(); }

/** Makes one row reachable by the Tab key: the chosen one, or the last. */
export function reachable() {
  const list = $("rows");
  if (list.querySelector('.row[tabindex="0"]')) return;
  const row = rows.get(chosen) ?? list.lastElementChild;
  if (row) row.tabIndex = 0;
}
export function focusRow(row) {
  if (!row) return;
  for (const other of $("rows").querySelectorAll('.row[tabindex="0"]')) other.tabIndex = -1;
  row.tabIndex = 0;
  row.focus();
}
export const rowOf = (number) => rows.get(number);
export function choose(number) {
  rows.get(chosen)?.setAttribute("aria-selected", "false");
  chosen = number;
  rows.get(chosen)?.setAttribute("aria-selected", "true");
}
export const chosenNumber = () => chosen;

/** Moves the focus in the list by keys. */
export function move(event) {
  const row = event.target.closest(".row");
  const list = $("rows");
  if (!row || !list.contains(row)) return false;
  const step = (from, count) => {
    let to = from;
    const way = count > 0 ? "nextElementSibling" : "previousElementSibling";
    for (let left = Math.abs(count); left > 0 && to[way]; left -= 1) to = to[way];
    return to;
  };
  const to = {
    ArrowDown: () => step(row, 1), ArrowUp: () => step(row, -1), PageDown: () => step(row, 15), PageUp: () => step(row, -15),
    Home: () => list.firstElementChild, End: () => list.lastElementChild,
  }[event.key]?.();
  if (!to) return false;
  event.preventDefault();
  focusRow(to);
  return true;
}

export function summary() {
  const shown = rows.size;
  const failed = [...calls.values()].filter(isFailed).length;
  const count = isFiltered() ? `${shown} of ${calls.size} calls`
    : total > calls.size ? `The last ${calls.size} of ${total} calls` : calls.size === 1 ? "1 call" : `${calls.size} calls`;
  const bytes = [...calls.values()].reduce((sum, call) => sum + call.received, 0);
  return [count, failed ? `${failed} failed` : "", bytes ? `${size(bytes)} received` : ""].filter(Boolean).join(" · ");
}
