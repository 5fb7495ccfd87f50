// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import { $, ask, askText, block, copy, make, parts, post, renew, say, size, tabs, time } from "./common.js";
import { status } from "./list.js";

const names = { queue: "Queue", dns: "DNS", connect: "Connect", tls: "TLS", request: "Request", wait: "First byte", body: "Body" };
const kinds = { wait: "Wait", retry: "Retry", redirect: "Redirect", cache: "Cache", hedge: "Hedge", interim: "Interim" };
const phases = { success: ["done"], ended: ["done", "failed", "cancelled", "left"] };

/** The summary of the chosen call, which is known before its details; null if none is open. */
let current = null;
/** The details that were received last; null until they are received. */
let data = null;
/** The call whose details are to be loaded next. */
let wanted = null;
let isLoading = false;
/** Counts the calls that were opened or closed: an answer to an earlier request is not for the call that is open now. */
let turn = 0;
let lastMessage = 0;
let attempt = null;
let isFile = false;
export const setFile = (value) => { isFile = value; };
/** The number of messages to keep on the page. */
let maximumMessages = 1000;
export const setMaximumMessages = (value) => { maximumMessages = value; };

const choose = tabs($("detail-tabs"), () => draw());

/** Opens the details of a call, or shows its changes. */
export function open(call) {
  if (current?.number !== call.number) {
    [data, lastMessage, attempt, turn] = [null, 0, null, turn + 1];
    for (const id of ["overview", "request", "response", "messages"]) { $(id).replaceChildren(); drawn.delete(id); }
    say($("detail-status"), "");
    choose($("tab-overview"));
  }
  head(call);
  $("detail").hidden = false;
  refresh(call);
}
export function close() {
  [current, turn] = [null, turn + 1];
  $("detail").hidden = true;
}
export const isOpen = () => current !== null;

/** Shows the title and the actions of a call, before its details are loaded: they must never be those of another call. */
function head(call) {
  current = call;
  $("detail-title").textContent = `${call.kind === "socket" ? "WebSocket" : call.method} ${parts(call.url).path}`;
  $("replay").hidden = !call.canReplay || isFile;
}

/** Loads the details again if the call has changed. A change during a load is loaded after it. */
export async function refresh(call) {
  if (current?.number !== call?.number || data?.call.version >= call.version) return;
  wanted = call;
  if (isLoading) return;
  isLoading = true;
  while (wanted) {
    const [{ number }, asked] = [wanted, turn];
    wanted = null;
    try {
      const detail = await ask(`api/call?number=${number}&after=${lastMessage}`);
      if (asked === turn) show(detail);
    } catch (error) { if (asked === turn) say($("detail-status"), error.message, true); }
  }
  isLoading = false;
}

function show(detail) {
  data = detail;
  head(detail.call);
  if (!data.attempts.some((one) => one.number === attempt)) attempt = null;
  talk(data);
  draw();
}

/** The data that each panel was drawn from. */
const drawn = new Map();
/** Draws the visible panel if its data has changed. */
function draw() {
  if (!data) return;
  const { call, attempts, steps, replayRefusal } = data;
  const build = { overview: () => overview(data), request: () => heads(requestOf), response: () => heads(responseOf) };
  for (const [id, make] of Object.entries(build)) {
    if ($(id).hidden) continue;
    const key = JSON.stringify(id === "overview" ? [call, attempts, steps, replayRefusal] : [attempts, attempt]);
    if (drawn.get(id) === key) continue;
    drawn.set(id, key);
    renew($(id), make());
  }
}

function facts(pairs, name = "") {
  const list = make("dl", "", name ? { class: name } : {});
  for (const [term, value] of pairs) {
    if (value === "" || value == null) continue;
    list.append(make("dt", term), make("dd", String(value)));
  }
  return list;
}

function overview(detail) {
  const { call } = detail;
  const [words] = status(call);
  const last = detail.attempts.at(-1);
  const content = [];
  if (call.failure) content.push(make("p", call.failure, { class: "failure" }));
  const text = last?.entry.response.statusText;
  content.push(facts([
    ["URL", call.url], ["Status", text && phases.success.includes(call.stage) ? `${words} ${text}` : words],
    ["Client", call.client], ["Protocol", call.protocolName], ["Connection", last?.connection && `${last.connection}${last.isReused ? ", reused" : ""}`],
    ["Started", new Date(call.date).toLocaleString()],
    ["Duration", phases.ended.includes(call.stage) ? time(call.milliseconds) : "not ended yet"],
    ["Sent", size(call.sent)], ["Received", size(call.received)], ["Cache", call.cache],
    ["Repeats", call.repeats ? `call ${call.repeats}` : ""],
    ["Send again", detail.replayRefusal && !isFile && call.stage !== "running" ? `not possible: ${detail.replayRefusal}` : ""],
  ]));
  content.push(make("h3", "Time"), waterfall(detail), legend(last));
  if (!detail.attempts.length && phases.ended.includes(call.stage)) content.push(make("p", call.cache ? "Nothing was sent: the cache answered." : "Nothing was sent.", { class: "note" }));
  return content;
}

/** Draws attempts, waits and decisions over the duration of the call. */
function waterfall({ call, attempts, steps }) {
  const ends = [...attempts, ...steps].map((one) => one.start + (one.milliseconds ?? 0));
  // A call that has not ended takes the time until now.
  const now = phases.ended.includes(call.stage) ? 0 : Date.now() - call.date;
  const whole = Math.max(call.milliseconds ?? 0, now, 0.001, ...ends);
  const fall = make("div", "", { class: "fall" });
  const items = [
    ...attempts.map((one) => ({ ...one, title: attempts.length > 1 ? `Attempt ${one.number}` : "Attempt", code: one.entry.response.status })),
    ...steps.map((one) => ({ ...one, title: kinds[one.kind] ?? one.kind })),
  ].sort((a, b) => a.start - b.start);
  for (const item of items) {
    const what = make("span", item.title, { class: "what" });
    if (item.code) what.append(` · ${item.code}`);
    const track = make("span", "", { class: "track" });
    let place = item.start;
    const put = (name, length) => {
      const bit = make("i", "", { class: name });
      bit.style.left = `${Math.min(99.5, (place / whole) * 100)}%`;
      if (length > 0) bit.style.width = `${Math.min(100, (length / whole) * 100)}%`;
      track.append(bit);
      place += length;
    };
    if (item.phases) {
      for (const phase of item.phases) put(phase.name, phase.milliseconds);
      const rest = (item.milliseconds ?? whole - item.start) - (place - item.start);
      if (rest > 0 && (item.milliseconds == null || !item.phases.length)) put(item.milliseconds == null ? "open" : "span", rest);
    } else if (item.milliseconds > 0 || item.milliseconds == null) put("span", item.milliseconds ?? whole - item.start);
    else put("mark", 0);
    fall.append(what, track, make("span", item.milliseconds ? time(item.milliseconds) : item.milliseconds == null ? "…" : ""));
    const words = item.text ?? item.failure;
    if (words) {
      const note = make("span", words, { class: "note" });
      note.style.gridColumn = "1 / -1";
      note.style.textAlign = "left";
      // Keeps the three columns of the next row.
      fall.append(note, make("span", "", { hidden: "" }), make("span", "", { hidden: "" }));
    }
  }
  return fall;
}

function legend(last) {
  const list = make("ul", "", { class: "legend", "aria-label": "Phases of the last attempt" });
  for (const phase of last?.phases ?? []) {
    const item = make("li");
    item.append(make("i", "", { class: phase.name }), `${names[phase.name] ?? phase.name} ${time(phase.milliseconds)}`);
    list.append(item);
  }
  return list;
}

/** Makes the request or the response of an attempt, with a choice if there are several. */
function heads(build) {
  const chosen = data.attempts.find((one) => one.number === attempt) ?? data.attempts.at(-1);
  if (!chosen) return [make("p", "There was no attempt on the network.", { class: "note" })];
  return data.attempts.length > 1 ? [choice(chosen), ...build(chosen)] : build(chosen);
}
function choice(chosen) {
  const group = make("div", "", { class: "chips", role: "group", "aria-label": "Attempts" });
  for (const one of data.attempts) {
    const words = `Attempt ${one.number}${one.entry.response.status ? ` · ${one.entry.response.status}` : ""}`;
    group.append(make("button", words, { class: "chip", type: "button", "aria-pressed": one === chosen, "data-attempt": one.number }));
  }
  return group;
}
// The buttons change in place, so the panels listen for them.
for (const id of ["request", "response"]) {
  $(id).addEventListener("click", (event) => {
    const button = event.target.closest("[data-attempt]");
    if (!button) return;
    attempt = Number(button.dataset.attempt);
    draw();
  });
}
const fields = (headers) => headers.length
  ? facts(headers.map((one) => [one.name, one.value || "(empty)"]), "headers") : make("p", "No header fields are known.", { class: "note" });

function requestOf({ entry }) {
  const content = [make("h3", "Header fields"), fields(entry.request.headers), make("h3", "Body")];
  const data = entry.request.postData;
  if (!data) return [...content, make("p", "No body.", { class: "note" })];
  const text = data.text || (data.params ?? []).map((one) => `${one.name}=${one.value}`).join("&");
  return [...content, ...body(text, data.mimeType, data.comment, entry.request.bodySize)];
}
function responseOf({ entry, failure }) {
  const { response } = entry;
  const content = [];
  if (failure) content.push(make("p", failure, { class: "failure" }));
  if (!response.status) return [...content, make("p", "No response was received.", { class: "note" })];
  content.push(facts([["Status", `${response.status} ${response.statusText}`], ["Version", response.httpVersion]]));
  content.push(make("h3", "Header fields"), fields(response.headers), make("h3", "Body"));
  const { content: data } = response;
  if (!(data.size > 0)) return [...content, make("p", "No body.", { class: "note" })];
  return [...content, ...body(data.text, data.mimeType, data.comment, data.size)];
}
function body(text, type, comment, bytes) {
  const note = [type === "x-unknown" ? "" : type, bytes >= 0 ? size(bytes) : "", comment].filter(Boolean).join(", ");
  const content = [make("p", note, { class: "note" })];
  if (text) content.push(block(text, /json/i.test(type) || /^\s*[[{]/.test(text)));
  return content;
}

/** Appends the messages of a WebSocket or an event stream that are new. */
function talk({ call, messages }) {
  $("tab-messages").hidden = call.kind === "http" && !call.messages;
  const panel = $("messages");
  let list = panel.querySelector("ol");
  if (!list) {
    list = make("ol", "", { class: "talk", "aria-label": "Messages, the newest last" });
    panel.replaceChildren(list);
  }
  const isAtEnd = panel.scrollHeight - panel.scrollTop - panel.clientHeight < 40;
  for (const one of messages) {
    lastMessage = Math.max(lastMessage, one.number);
    const item = make("li", "", { class: one.isSent ? "sent" : "received" });
    const direction = make("span", one.isSent ? "↑" : "↓", { class: "dir", role: "img", "aria-label": one.isSent ? "sent" : "received" });
    const kind = one.event && one.event !== "message" ? one.event : one.kind === "text" || one.kind === "event" ? "" : one.kind;
    const said = make("span", kind ? `${kind}: ${one.text}` : one.text, { class: "said" });
    if (one.text.length > 600) said.tabIndex = 0;
    item.append(direction, make("span", time(one.start), { class: "when" }), said, make("span", one.size ? size(one.size) : "", { class: "much" }));
    list.append(item);
  }
  while (list.children.length > maximumMessages) list.firstElementChild.remove();
  if (isAtEnd) panel.scrollTop = panel.scrollHeight;
}

// Actions
/** Does an action that returns the words for its end. */
async function act(action) {
  const asked = turn;
  const tell = (words, isBad) => { if (asked === turn) say($("detail-status"), words, isBad); };
  try { tell(await action(current?.number)); } catch (error) { tell(error.message, true); }
}
/** Copies a request as text; the words say if its body is missing from the text. */
const copies = (path, what, isIncomplete, instead) => act(async (number) => {
  const text = await askText(`${path}?number=${number}`);
  await copy(text);
  return `${what} is copied${isIncomplete.test(text) ? instead : ""}. Hidden secrets must be filled in.`;
});
$("copy-curl").addEventListener("click", () => copies(
  "api/curl", "The curl command", /^ {2}--data-binary @body\.bin/m, " without its body, which it reads from the file body.bin"));
$("copy-swift").addEventListener("click", () => copies(
  "api/swift", "The Swift code", /^ {4}body: \.empty \/\*/m, " without its body, which is not recorded as a whole"));
const again = (number, isConfirmed) => act(async () => {
  await post(`api/replay?number=${number}${isConfirmed ? "&confirmed=1" : ""}`);
  return "Sent again, as a new call in the list.";
});
$("replay").addEventListener("click", () => {
  const { number, method } = current;
  if (/^(GET|HEAD|OPTIONS|QUERY)$/.test(method)) return again(number, false);
  $("confirm-text").textContent = `${$("detail-title").textContent} may change data on the server. Send it again?`;
  $("confirm").dataset.number = number;
  $("confirm").showModal();
});
$("confirm-no").addEventListener("click", () => $("confirm").close());
$("confirm-yes").addEventListener("click", () => {
  $("confirm").close();
  again($("confirm").dataset.number, true);
});
