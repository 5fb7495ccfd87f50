// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import { $, ask, make, post, say, size, tabs } from "./common.js";
import * as detail from "./detail.js";
import * as list from "./list.js";

let isPaused = false;
let connection = "connecting";
let trouble = "";
let isFile = false;

// Status
const broken = {
  lost: "Not connected: the process has ended, or the inspector was stopped. Trying again…",
  refused: "Not connected: the inspector was started again at another address, or too many pages are open. Open the printed address, or close a page and load this one again.",
};
/** Tells the state. The number of calls, which changes often, is not in the element that screen readers speak. */
function tell() {
  const bad = broken[connection] ?? trouble;
  say($("status"), bad || (isPaused ? "Paused." : connection === "connecting" ? "Connecting…" : ""), bad !== "");
  say($("count"), bad || connection === "connecting" ? "" : list.summary());
}
function empty() {
  const isEmpty = !$("rows").firstElementChild;
  $("empty").hidden = !isEmpty;
  $("unfilter").hidden = !(list.calls.size && list.isFiltered());
  // The view of the downloads is offered only if there is one.
  const isForDownloads = wantedView === "downloads" && $("views").hidden;
  const what = isForDownloads ? "downloads" : list.filter.client ? `calls of ${list.filter.client}` : "calls";
  say($("empty-text"), list.calls.size && !isForDownloads ? "No call matches the filter." : isFile ? "The file has no calls."
    : isPaused ? "Recording is paused." : `No ${what} yet. They appear here as they happen.`);
  // A disabled button would lose the focus.
  if (!list.calls.size && [$("export"), $("clear")].includes(document.activeElement)) $("filter").focus();
  $("export").disabled = list.calls.size === 0;
  $("clear").disabled = list.calls.size === 0;
}

// Changes
let waiting = [];
let [frame, late] = [0, 0];
/** The largest number of messages that wait to be drawn. */
const most = 50;
function take(changes) {
  waiting.push(changes);
  // In a hidden page timers are late, too.
  if (waiting.length >= most) return apply();
  if (late) return;
  // A page or a frame that is not visible gets no animation frame, and changes must not pile up there.
  late = setTimeout(apply, 250);
  frame = requestAnimationFrame(apply);
}
function apply() {
  clearTimeout(late);
  cancelAnimationFrame(frame);
  late = 0;
  const all = waiting;
  waiting = [];
  const box = $("calls");
  const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
  for (const changes of all) {
    if (changes.isFirst) list.clear();
    list.take(changes.calls, changes.first);
    isPaused = changes.isPaused;
    if (changes.downloads) downloads(changes.downloads);
  }
  $("pause").setAttribute("aria-pressed", isPaused);
  list.reachable();
  empty();
  tell();
  if (isAtEnd && !box.contains(document.activeElement)) box.scrollTop = box.scrollHeight;
  const call = list.calls.get(list.chosenNumber());
  if (call) detail.refresh(call);
  // A search on the server does not know later calls.
  searchLater();
}
let isFirst = true;
const feed = new EventSource("api/feed");
feed.onopen = () => { connection = "open"; isFirst = true; tell(); };
feed.onmessage = (event) => {
  take({ ...JSON.parse(event.data), isFirst });
  isFirst = false;
};
// The browser tries again after a lost connection, but not after a status other than 200.
feed.onerror = () => { connection = feed.readyState === EventSource.CLOSED ? "refused" : "lost"; tell(); };
// A browser keeps a page that was left for the button Back, and its connection would be one of the few that the inspector accepts.
addEventListener("pagehide", () => feed.close());
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// Choosing a call
function open(row) {
  const call = list.calls.get(Number(row?.dataset.number));
  if (!call) return;
  list.choose(call.number);
  document.body.classList.add("with-detail");
  detail.open(call);
  cover();
  if (narrow.matches) $("detail-title").focus();
}
/** On a narrow window the details cover the rest of the page, which the keyboard must not reach then. */
const narrow = matchMedia("(max-width: 52rem)");
function cover() {
  for (const part of document.querySelectorAll(".skip, header, .bar, #calls")) part.inert = narrow.matches && detail.isOpen();
}
narrow.addEventListener("change", cover);
function close() {
  if (!detail.isOpen()) return;
  const row = list.rowOf(list.chosenNumber());
  detail.close();
  cover();
  list.choose(null);
  document.body.classList.remove("with-detail");
  list.focusRow(row);
}
$("rows").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  list.focusRow(row);
  open(row);
});
$("close").addEventListener("click", close);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("confirm").open) return;
  if (list.move(event)) {
    if (detail.isOpen()) open(document.activeElement);
    return;
  }
  const isTyping = event.target.matches("input, textarea");
  if (event.key === "Escape") {
    if (event.target === $("filter") && $("filter").value) { $("filter").value = ""; filter(); } else close();
  } else if (event.key === "Enter" && event.target.matches("#rows .row")) open(event.target);
  else if (event.key === "/" && !isTyping) { event.preventDefault(); $("filter").focus(); }
  else if (event.key === "p" && !isTyping && !$("pause").hidden) pause();
});

// Filter
const sought = () => ($("deep").checked ? list.plainWords().join(" ") : "");
let isSearching = false;
let repeated = 0;
/** Searches headers and bodies. A search takes time in the process, so there is one at a time, and a pause after it. */
async function search() {
  if (isSearching) return;
  clearTimeout(repeated);
  [isSearching, repeated] = [true, 0];
  let searched;
  do {
    searched = sought();
    let found = null;
    try {
      if (searched) found = new Set(await ask(`api/search?text=${encodeURIComponent(searched)}`));
      trouble = "";
    } catch (error) { trouble = error.message; }
    // The words may be others by now.
    if (searched === sought() && (found || !searched)) list.filter.found = found;
    refilter();
  } while (searched !== sought());
  isSearching = false;
  if (trouble) searchLater();
}
function searchLater() {
  if (sought() && !isSearching && connection === "open") repeated ||= setTimeout(search, 2000);
}
function refilter() { list.refilter(); empty(); tell(); }
let delay = 0;
/** The view that the address names. */
let wantedView = "";
function filter() {
  list.setFilter($("filter").value);
  refilter();
  clearTimeout(delay);
  delay = setTimeout(search, 250);
}
$("filter").addEventListener("input", filter);
$("deep").addEventListener("change", filter);
$("filters").addEventListener("submit", (event) => event.preventDefault());
for (const chip of document.querySelectorAll(".chip[data-is]")) {
  chip.addEventListener("click", () => {
    const isOn = chip.getAttribute("aria-pressed") !== "true";
    chip.setAttribute("aria-pressed", isOn);
    if (isOn) list.filter.only.add(chip.dataset.is); else list.filter.only.delete(chip.dataset.is);
    refilter();
  });
}
/** The address can name a client, whose calls alone are shown, and the view: #client=Posts, #view=downloads. */
function readAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  document.body.classList.toggle("embedded", wanted.has("embedded"));
  list.filter.client = wanted.get("client") ?? "";
  wantedView = wanted.get("view") ?? "";
  if (!$("views").hidden) chooseView($(wantedView === "downloads" ? "tab-downloads" : "tab-calls"));
  $("client").hidden = !list.filter.client;
  $("client").textContent = `${list.filter.client} ×`;
  $("client").setAttribute("aria-label", `Show the calls of all clients, not only of ${list.filter.client}`);
  refilter();
}
const showAllClients = () => { location.hash = document.body.classList.contains("embedded") ? "embedded" : ""; readAddress(); };
$("client").addEventListener("click", showAllClients);
addEventListener("hashchange", readAddress);
$("unfilter").addEventListener("click", () => {
  $("filter").value = "";
  list.filter.only.clear();
  for (const chip of document.querySelectorAll(".chip[data-is]")) chip.setAttribute("aria-pressed", false);
  list.setFilter("");
  if (list.filter.client) showAllClients(); else refilter();
  $("filter").focus();
});

// Actions
async function act(action) {
  try { await action(); trouble = ""; } catch (error) { trouble = error.message; }
  tell();
}
const pause = () => act(() => post(`api/pause?on=${isPaused ? 0 : 1}`));
$("pause").addEventListener("click", pause);
$("clear").addEventListener("click", () => act(async () => { close(); await post("api/clear"); }));
$("export").addEventListener("click", () => act(async () => {
  const shown = [...$("rows").children].map((row) => row.dataset.number);
  const file = await post("api/har", list.isFiltered() ? shown.join(",") || "0" : "");
  const address = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }));
  const link = make("a", "", { href: address, download: "calls.har" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}));

// Downloads
const chooseView = tabs($("views"), (id) => {
  document.body.classList.toggle("on-downloads", id === "downloads");
  $("filters").hidden = id === "downloads";
  if (id === "downloads") close();
});
function downloads(all) {
  const had = !$("views").hidden;
  $("views").hidden = all.length === 0;
  if (had && !all.length) chooseView($("tab-calls"));
  if (!had && all.length && wantedView === "downloads") chooseView($("tab-downloads"));
  $("downloads-count").textContent = all.length || "";
  $("downloads-list").replaceChildren(...all.toReversed().map((one) => {
    const item = make("li", "", { "data-state": one.state });
    const bar = make("div", "", { class: "pieces", role: "img", "aria-label": one.total ? `${Math.floor((one.bytes / one.total) * 100)} % received` : "the length is unknown" });
    const stops = [];
    let place = 0;
    const draw = (to, color) => {
      if (to > place) stops.push(`var(${color}) ${place * 100}% ${to * 100}%`);
      place = Math.max(place, to);
    };
    if (one.total) {
      const gaps = one.state === "completed" ? [] : one.missing.length ? one.missing : [[one.bytes, one.total]];
      for (const [from, to] of gaps) { draw(from / one.total, "--two"); draw(to / one.total, "--line"); }
      draw(1, "--two");
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    }
    const facts = [
      one.state, one.total ? `${size(one.bytes)} of ${size(one.total)}` : size(one.bytes), one.speed ? `${size(one.speed)}/s` : "",
      one.remainingSeconds != null && one.state === "downloading" ? `${one.remainingSeconds} s left` : "",
      one.connections > 1 ? `${one.connections} segments at a time` : "", one.manager, one.failure,
    ];
    item.append(make("h3", one.name), bar, make("p", facts.filter(Boolean).join(" · ")), make("p", one.url));
    return item;
  }));
}

// Start
list.setFilter("");
readAddress();
try {
  const info = await ask("api/info");
  $("title").textContent = info.title;
  document.title = `${info.title} – Inspector`;
  isFile = info.isFile;
  for (const id of ["pause", "clear", "pause-key"]) $(id).hidden = isFile;
  detail.setFile(isFile);
  detail.setMaximumMessages(info.maximumMessages);
  if (isFile) list.setTotal(info.total);
  empty();
} catch (error) { trouble = error.message; }
tell();
document.body.dataset.ready = "yes";
