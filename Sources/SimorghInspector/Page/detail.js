// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import { $, ask, askText, block, copy, make, parts, post, say, size, tabs, time } from "./common.js";
import { status } from "./list.js";

const names = { queue: "Queue", dns: "DNS", connect: "Connect", tls: "TLS", request: "Request", wait: "First byte", body: "Body" };
const kinds = { wait: "Wait", retry: "Retry", redirect: "Redirect", cache: "Cache", hedge: "Hedge", interim: "Interim" };
const phases = { success: ["done"], ended: ["done", "failed", "cancelled", "left"] };

let shown = null;
let version = -1;
let lastMessage = 0;
let loading = false;
let attempt = null;
let isFile = false;
export const setFile = (value) => { isFile = value; };

const choose = tabs($("detail-tabs"), () => {});

/** Opens the details of a call, or shows its changes. */
export async function open(call) {
  if (shown !== call.number) {
    [shown, version, lastMessage, attempt] = [call.number, -1, 0, null];
    for (const id of ["overview", "request", "response", "messages"]) $(id).replaceChildren();
    say($("detail-status"), "");
    choose($("tab-overview"));
  }
  $("detail").hidden = false;
  await refresh(call);
}
export function close() {
  shown = null;
  $("detail").hidden = true;
}
export const isOpen = () => shown !== null;

/** Loads the details again if the call has changed. */
export async function refresh(call) {
  if (shown !== call?.number || version === call.version || loading) return;
  loading = true;
  try {
    const detail = await ask(`api/call?number=${call.number}&after=${lastMessage}`);
    if (shown !== detail.call.number) return;
    version = detail.call.version;
    show(detail);
  } catch (error) { say($("detail-status"), error.message, true); } finally { loading = false; }
}

function show(detail) {
  const { call } = detail;
  const { path } = parts(call.url);
  $("detail-title").textContent = `${call.kind === "socket" ? "WebSocket" : call.method} ${path}`;
  $("replay").hidden = !call.canReplay || isFile;
  if (detail.replayRefusal && !isFile && call.stage !== "running") $("replay").title = detail.replayRefusal;
  if (!attempt || !detail.attempts.some((one) => one.number === attempt)) attempt = null;
  overview(detail);
  heads(detail);
  talk(detail);
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
  const panel = $("overview");
  const top = panel.scrollTop;
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
  ]));
  content.push(make("h3", "Time"), waterfall(detail), legend(last));
  if (!detail.attempts.length && phases.ended.includes(call.stage)) content.push(make("p", call.cache ? "Nothing was sent: the cache answered." : "Nothing was sent.", { class: "note" }));
  panel.replaceChildren(...content);
  panel.scrollTop = top;
}

/** Draws attempts, waits and decisions over the duration of the call. */
function waterfall({ call, attempts, steps }) {
  const ends = [...attempts, ...steps].map((one) => one.start + (one.milliseconds ?? 0));
  const whole = Math.max(call.milliseconds ?? 0, 0.001, ...ends);
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

/** Shows the heads and bodies of an attempt, with a choice if there are several. */
function heads(detail) {
  const chosen = detail.attempts.find((one) => one.number === attempt) ?? detail.attempts.at(-1);
  for (const [id, draw] of [["request", requestOf], ["response", responseOf]]) {
    const panel = $(id);
    const top = panel.scrollTop;
    const content = [];
    if (detail.attempts.length > 1) content.push(choice(detail, chosen));
    if (chosen) content.push(...draw(chosen));
    else content.push(make("p", "There was no attempt on the network.", { class: "note" }));
    panel.replaceChildren(...content);
    panel.scrollTop = top;
  }
}
function choice(detail, chosen) {
  const group = make("div", "", { class: "chips", role: "group", "aria-label": "Attempts" });
  for (const one of detail.attempts) {
    const button = make("button", `Attempt ${one.number}${one.entry.response.status ? ` · ${one.entry.response.status}` : ""}`, { class: "chip", type: "button", "aria-pressed": one === chosen });
    button.addEventListener("click", () => {
      attempt = one.number;
      const panel = button.closest("[role=tabpanel]");
      heads(detail);
      panel.querySelector('.chip[aria-pressed="true"]')?.focus();
    });
    group.append(button);
  }
  return group;
}
const fields = (headers) => headers.length
  ? facts(headers.map((one) => [one.name, one.value || "(empty)"]), "headers") : make("p", "No header fields are known.", { class: "note" });

function requestOf({ entry }) {
  const content = [make("h3", "Header fields"), fields(entry.request.headers), make("h3", "Body")];
  const data = entry.request.postData;
  if (!data) return [...content, make("p", "No body.", { class: "note" })];
  return [...content, ...body(data.text, data.mimeType, data.comment, entry.request.bodySize)];
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
  while (list.children.length > 1000) list.firstElementChild.remove();
  if (isAtEnd) panel.scrollTop = panel.scrollHeight;
}

// Actions
async function act(action, done) {
  try { await action(); say($("detail-status"), done); } catch (error) { say($("detail-status"), error.message, true); }
}
$("copy-curl").addEventListener("click", () => act(async () => copy(await askText(`api/curl?number=${shown}`)), "The curl command is copied. Hidden secrets must be filled in."));
$("copy-swift").addEventListener("click", () => act(async () => copy(await askText(`api/swift?number=${shown}`)), "The Swift code is copied. Hidden secrets must be filled in."));
const again = (number) => act(() => post(`api/replay?number=${number}`), "Sent again, as a new call in the list.");
$("replay").addEventListener("click", () => {
  const title = $("detail-title").textContent;
  if (/^(GET|HEAD|OPTIONS|QUERY) /.test(title)) return again(shown);
  $("confirm-text").textContent = `${title} may change data on the server. Send it again?`;
  $("confirm").dataset.number = shown;
  $("confirm").showModal();
});
$("confirm-no").addEventListener("click", () => $("confirm").close());
$("confirm-yes").addEventListener("click", () => {
  $("confirm").close();
  again(Number($("confirm").dataset.number));
});
