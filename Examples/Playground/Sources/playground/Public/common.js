// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

export const $ = (id) => document.getElementById(id);
export const make = (name, text = "", attributes = {}) => {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** Sets a status text, styled as a failure if `isBad`. Does not set the same text again: screen readers would repeat it. */
export function say(id, text, isBad = false) {
  if ($(id).textContent !== text) $(id).textContent = text;
  $(id).classList.toggle("bad", isBad);
  $(id).classList.toggle("busy", !isBad && text.trimEnd().endsWith("…"));
}

/** Returns the query that selects the server: the embedded one, or that of the page's field. */
export const elsewhere = (parameters = {}, field = "base") => {
  const query = new URLSearchParams(parameters);
  if ($(field).value) query.set("base", $(field).value);
  // A plus sign means a space in forms only.
  const text = query.toString().replaceAll("+", "%20");
  return text ? `?${text}` : "";
};

/** Adds a line to a log, newest first. */
export const log = (id, kind, text) => {
  const list = $(id);
  list.prepend(make("li", `${kind}: ${text}`.slice(0, 20000), { "data-kind": kind }));
  while (list.children.length > 200) list.lastChild.remove();
};

/** Replaces the browser's message for a server that does not answer, which does not help. */
const silent = "the Playground does not answer: is it running?";

/** Returns the response, or throws the server's message if it failed. */
export async function reach(path, options = {}) {
  const response = await fetch(path, options).catch((error) => {
    throw error.name === "AbortError" ? error : new Error(silent);
  });
  if (response.ok) return response;
  const value = await response.json().catch(() => ({}));
  throw new Error(value.message ?? value.error?.message ?? `the Playground answered ${response.status}`);
}
export const ask = async (path, options) =>
  (await reach(path, options)).json().catch(() => { throw new Error(silent); });
export const post = (path, body) => ask(path, { method: "POST", body });
export const postJSON = (path, value) =>
  ask(path, { method: "POST", body: JSON.stringify(value), headers: { "Content-Type": "application/json" } });

/** The maximum number of streams of all pages. A browser keeps six connections to a host, and calls need some. */
const slots = 4;
export const crowded = `this browser has ${slots} open streams, the maximum: stop one here or in another page first`;

/** Takes a slot, and returns its release function; null if all are taken. Closing a page releases its slots. */
export async function slot() {
  if (!navigator.locks) return () => {};
  // A slot that was released a moment ago may not be free yet.
  for (const pause of [0, 100, 400]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    for (let number = 1; number <= slots; number += 1) {
      const free = await new Promise((resolve) => {
        navigator.locks
          .request(`slot ${number}`, { ifAvailable: true }, (lock) =>
            lock ? new Promise((free) => resolve(free)) : resolve(null))
          .catch(() => resolve(() => {}));
      });
      if (free) return free;
    }
  }
  return null;
}

/** Listens to a stream of the Swift process until it ends or is closed. */
export function listen(path, { value, failure, end }) {
  let [source, free] = [null, null];
  const feed = {
    isOpen: true,
    close() {
      feed.isOpen = false;
      source?.close();
      free?.();
    },
  };
  const fail = (message) => { feed.close(); failure(message); };
  slot().then((taken) => {
    free = taken;
    if (!feed.isOpen) return free?.();
    if (!free) return fail(crowded);
    source = new EventSource(path);
    source.onmessage = (event) => value(JSON.parse(event.data));
    source.addEventListener("failure", (event) => fail(JSON.parse(event.data).message));
    source.addEventListener("end", () => { feed.close(); end?.(); });
    source.onerror = () => fail(silent);
  });
  return feed;
}

/** Yields the events of an upload as they arrive. */
export async function* steps(response) {
  // Uses a reader, since not every browser can iterate over a stream.
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value;
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const data = block.match(/^data: (.*)$/m)?.[1];
        if (!data || block.startsWith("event: end")) continue;
        const value = JSON.parse(data);
        if (block.startsWith("event: failure")) throw new Error(value.message);
        yield value;
      }
    }
  } catch (error) {
    throw error instanceof TypeError ? new Error(silent) : error;
  } finally {
    // Closes the connection if the caller stops early.
    reader.cancel().catch(() => {});
  }
}
