// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

export const $ = (id) => document.getElementById(id);
export const make = (name, text = "", attributes = {}) => {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** Says how something stands, in words; what went wrong looks so. What is the same is not read out again. */
export function say(id, text, isBad = false) {
  if ($(id).textContent !== text) $(id).textContent = text;
  $(id).classList.toggle("bad", isBad);
}

/** Where calls go: the embedded servers, or what the fields say. */
export const elsewhere = (parameters = {}, field = "base") => {
  const query = new URLSearchParams(parameters);
  if ($(field).value) query.set("base", $(field).value);
  // A plus is a space in forms alone.
  const text = query.toString().replaceAll("+", "%20");
  return text ? `?${text}` : "";
};

/** Adds a line to a list of what happened, which has the newest first. */
export const log = (id, kind, text) => {
  const list = $(id);
  list.prepend(make("li", `${kind}: ${text}`.slice(0, 20000), { "data-kind": kind }));
  while (list.children.length > 200) list.lastChild.remove();
};

/** What a browser says of a server that does not answer is no help. */
const silent = "the Playground does not answer: is it running?";

/** What is answered, where it is no failure. */
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

/** A browser keeps six connections to a host, for all its pages: so many may be taken for long, and leave some to calls. */
const lanes = 4;
export const crowded = "this browser listens to as much as it can: stop something here or in another page first";

/** Takes a lane, and gives what lets go of it; null where none is free. The browser lets go of those of a page that goes. */
export async function lane() {
  if (!navigator.locks) return () => {};
  // One that was let go a moment ago may not be free yet.
  for (const pause of [0, 100, 400]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    for (let number = 1; number <= lanes; number += 1) {
      const free = await new Promise((resolve) => {
        navigator.locks
          .request(`lane ${number}`, { ifAvailable: true }, (lock) =>
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
  lane().then((taken) => {
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

/** What the Swift process tells of an upload, as it comes. */
export async function* steps(response) {
  // Read piece by piece, as not every browser goes through a stream in a loop.
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
    // Whoever wants no more of it lets the connection go.
    reader.cancel().catch(() => {});
  }
}
