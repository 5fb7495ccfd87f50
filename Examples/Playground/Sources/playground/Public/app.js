// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import { followTraffic, offerTraffic } from "./traffic.js";
import { $, ask, crowded, elsewhere, listen, log, make, post, postJSON, reach, say, slot, steps } from "./common.js";

/** The open streams. */
let [downloads, network, words] = [null, null, null];

// Tabs, by mouse and by keyboard.
const tabs = [...document.querySelectorAll("[role=tab]")];
function choose(tab, focus = false) {
  for (const other of tabs) {
    const isChosen = other === tab;
    other.setAttribute("aria-selected", isChosen);
    other.tabIndex = isChosen ? 0 : -1;
    $(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
  if (focus) tab.focus();
  const panel = tab.getAttribute("aria-controls");
  history.replaceState(null, "", `#${panel}`);
  if (panel !== "stream") stop();
  watch();
  followTraffic(panel);
}
/** Returns the visible panel, or null. Not from the address, whose fragment may be that of the link to the content. */
const lookedAt = () =>
  document.hidden ? null : tabs.find((tab) => tab.getAttribute("aria-selected") === "true").getAttribute("aria-controls");
/** Opens the stream of the visible panel, and closes the others, since each takes a connection. */
function watch() {
  const panel = lookedAt();
  if (panel !== "downloads") downloads?.close();
  if (panel !== "network") network?.close();
  if (panel === "downloads") watchDownloads();
  if (panel === "network") watchNetwork();
}
document.addEventListener("visibilitychange", watch);
tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(tabs[(to + tabs.length) % tabs.length], true);
  });
});

// The code behind each tab.
for (const panel of document.querySelectorAll("[data-code]")) {
  const details = make("details", "", { class: "code" });
  const code = make("code");
  const block = make("pre", "", { tabindex: "0" });
  block.append(code);
  details.append(make("summary", "The Swift code"), block);
  details.addEventListener("toggle", async () => {
    if (!details.open || code.dataset.shown) return;
    try {
      code.textContent = (await ask(`/api/code/${panel.dataset.code}`)).code;
      code.dataset.shown = "yes";
    } catch (error) { code.textContent = error.message; }
  });
  panel.append(details);
}

// Posts
$("load-posts").addEventListener("click", async () => {
  try {
    const answer = await ask(`/api/posts${elsewhere({ strategy: $("strategy").value })}`);
    $("posts-list").replaceChildren(...answer.posts.slice(-30).reverse().map((one) => {
      const item = make("li");
      item.append(make("h3", one.title), make("p", one.body));
      return item;
    }));
    say("posts-status", `${answer.posts.length} ${answer.posts.length === 1 ? "post" : "posts"} in ${answer.milliseconds.toFixed(1)} ms. Cache: ${answer.cache}`);
  } catch (error) { say("posts-status", error.message, true); }
});
$("new-post").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  try {
    const made = await postJSON(`/api/posts${elsewhere()}`, { title: form.get("title"), body: form.get("body") });
    event.target.reset();
    say("posts-status", `Posted as number ${made.id}. The cached list is outdated: load the posts to see it.`);
  } catch (error) { say("posts-status", error.message, true); }
});

// Realtime
let socket = null;
$("socket-open").addEventListener("click", () => {
  socket?.close();
  say("socket-status", "Connecting…");
  socket = listen(`/api/socket${elsewhere({}, "socket-base")}`, {
    value: (line) => {
      log("socket-log", line.kind, line.text);
      const isLost = line.kind === "lost";
      if (isLost || line.kind === "state") say("socket-status", `The connection: ${line.text}`, isLost);
    },
    failure: (message) => say("socket-status", message, true),
    end: () => say("socket-status", "The connection is closed."),
  });
});
const act = (action, body = "", status = "socket-status") =>
  post(`/api/socket/${action}`, body).catch((error) => { say(status, error.message, true); });
/** Lets the embedded server disconnect; other servers have no such command. */
function drop(status) {
  if ($("socket-base").value) say(status, "Only the embedded server disconnects on request.", true);
  else act("drop", "", status);
}
$("socket-form").addEventListener("submit", (event) => { event.preventDefault(); act("send", $("socket-text").value); });
$("socket-bytes").addEventListener("click", () => act("bytes", $("socket-text").value));
$("socket-ping").addEventListener("click", async () => {
  const answer = await act("ping");
  if (answer?.milliseconds != null) log("socket-log", "ping", `round-trip time ${answer.milliseconds.toFixed(2)} ms`);
});
$("socket-drop").addEventListener("click", () => drop("socket-status"));
$("socket-close").addEventListener("click", () => act("close"));

// Subscription
const market = {};
function draw(symbol) {
  const prices = market[symbol].prices;
  const first = prices[0];
  $(`line-${symbol}`).setAttribute("points", prices.map((price, index) => {
    const share = Math.max(-1, Math.min(1, (price / first - 1) * 40));
    return `${(index * 600) / 119},${110 - share * 100}`;
  }).join(" "));
  $(`price-${symbol}`).textContent = `${symbol.slice(0, 3).toUpperCase()} ${prices.at(-1).toFixed(2)}`;
}
/** Shows the state of the subscriptions; a lost one has precedence. */
function tellFeeds() {
  $("trade-drop").disabled = !document.querySelector(".symbol[aria-pressed=true]");
  const feeds = [...document.querySelectorAll(".symbol[aria-pressed=true]")].map((button) => market[button.dataset.symbol]);
  const lost = feeds.find((feed) => feed.state === "lost");
  if (lost) return say("trade-status", `${lost.name} is ${lost.text}`, true);
  const names = (state) => feeds.filter((feed) => feed.state === state).map((feed) => feed.name).join(" and ");
  const asked = names("asked") && `Subscribing to ${names("asked")}… `;
  const subscribed = names("subscribed") && `Subscribed to ${names("subscribed")}.`;
  say("trade-status", `${asked}${subscribed}` || "No subscriptions.");
}
function follow(button) {
  const { symbol } = button.dataset;
  const feed = { name: button.textContent, prices: [], state: "asked", text: "" };
  market[symbol] = feed;
  $(`line-${symbol}`).setAttribute("points", "");
  const fail = (message) => {
    button.setAttribute("aria-pressed", false);
    $("trade-drop").disabled = !document.querySelector(".symbol[aria-pressed=true]");
    log("trade-log", feed.name, message);
    say("trade-status", `${feed.name}: ${message}`, true);
  };
  feed.source = listen(`/api/trades/${symbol}${elsewhere({}, "socket-base")}`, {
    failure: fail,
    end: () => fail("the server ended the subscription"),
    value: (step) => {
      if (step.state) {
        [feed.state, feed.text] = [step.state, step.text];
        log("trade-log", feed.name, step.text);
        return tellFeeds();
      }
      const price = Number(step.price);
      if (!(price > 0 && price < Infinity)) return log("trade-log", feed.name, `invalid price: ${step.price.slice(0, 40)}`);
      feed.prices = [...feed.prices, price].slice(-120);
      draw(symbol);
    },
  });
}
for (const button of document.querySelectorAll(".symbol")) {
  button.addEventListener("click", () => {
    const isOn = button.getAttribute("aria-pressed") === "true";
    button.setAttribute("aria-pressed", !isOn);
    if (isOn) market[button.dataset.symbol].source.close();
    else follow(button);
    tellFeeds();
  });
}
$("trade-drop").addEventListener("click", () => drop("trade-status"));

// Downloads
let settings = {};
const size = (bytes) => {
  const units = ["B", "KB", "MB", "GB"];
  let step = 0;
  while (bytes >= 1024 && step < 3) { bytes /= 1024; step += 1; }
  return `${bytes.toFixed(step ? 1 : 0)} ${units[step]}`;
};
/** The summary of the list and the last error, which stays visible while the list changes. */
let [counted, trouble] = ["No downloads.", ""];
function tellDownloads(wrong = "") {
  trouble = wrong;
  say("downloads-status", trouble ? `${trouble} (${counted})` : counted, trouble !== "");
}
function watchDownloads() {
  if (downloads?.isOpen) return;
  tellDownloads();
  downloads = listen("/api/downloads", { value: showDownloads, failure: tellDownloads });
}
/** Performs an action, and shows its error. */
async function change(action) {
  try {
    const wrong = await action();
    // Another panel may be visible by now.
    if (lookedAt() === "downloads") watchDownloads();
    tellDownloads(wrong);
  } catch (error) { tellDownloads(error.message); }
}
function showDownloads(rows) {
  const list = $("downloads-list");
  const used = document.activeElement;
  const place = [...list.children].findIndex((item) => item.contains(used));
  const known = new Map([...list.children].map((item) => [item.dataset.id, item]));
  for (const row of rows) {
    const item = known.get(row.id) ?? newDownload(row);
    known.delete(row.id);
    const share = row.state === "completed" ? 1 : row.total ? row.bytes / row.total : 0;
    item.dataset.state = row.state;
    item.querySelector("h3").textContent = row.name;
    paint(item.querySelector(".bar"), row, share);
    const speed = row.speed ? `, ${size(row.speed)}/s` : "";
    const eta = row.eta != null ? `, ${Math.ceil(row.eta)} s left` : "";
    const connections = row.connections > 1 ? `, ${row.connections} connections` : "";
    item.querySelector("p").textContent =
      `${row.state}: ${size(row.bytes)}${row.total ? ` of ${size(row.total)}` : ""}${speed}${eta}${connections}` +
      ` (${row.priority})${row.message ? `. ${row.message}` : ""}`;
    item.querySelector("[data-do=pause]").disabled = !["downloading", "queued"].includes(row.state);
    item.querySelector("[data-do=resume]").disabled = !["paused", "failed"].includes(row.state);
    item.querySelector("[data-do=preview]").disabled = !row.isThere;
    const cancel = item.querySelector("[data-do=cancel]");
    cancel.textContent = row.state === "completed" ? "Remove" : "Cancel";
    cancel.setAttribute("aria-label", `${cancel.textContent} ${row.name}`);
  }
  for (const gone of known.values()) gone.remove();
  if (place >= 0 && (used.disabled || !used.isConnected)) stay(used.closest("li"), place);
  const done = rows.filter((row) => row.state === "completed").length;
  if (done === 0 && document.activeElement === $("clear")) $("restart").focus();
  $("clear").disabled = done === 0;
  counted = rows.length ? `${done} of ${rows.length} complete.` : "No downloads.";
  tellDownloads(trouble);
}
/** Keeps the keyboard focus near a button that is gone, but not at a button that removes another download. */
function stay(item, place) {
  const list = $("downloads-list");
  const near = item.isConnected ? item : list.children[Math.min(place, list.children.length - 1)];
  const button = near?.querySelector("button:enabled:not([data-do=cancel])");
  (button ?? $("downloads")).focus({ preventScroll: true });
}
/** Draws the received ranges of a file: each connection fills its own. */
function paint(bar, row, share) {
  const gaps = row.state === "completed" ? [] : row.missing.length ? row.missing : [[share, 1]];
  const stops = [];
  let [place, parts] = [0, 0];
  const draw = (to, color) => {
    if (to <= place) return;
    stops.push(`var(${color}) ${place * 100}% ${to * 100}%`);
    if (color === "--two") parts += 1;
    place = to;
  };
  for (const [from, to] of gaps) { draw(from, "--two"); draw(to, "--line"); }
  draw(1, "--two");
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  bar.dataset.parts = parts;
}
function newDownload(row) {
  const item = make("li", "", { "data-id": row.id });
  const bar = make("div", "", { class: "bar", role: "presentation" });
  const buttons = make("div", "", { class: "row" });
  for (const [name, text] of [["pause", "Pause"], ["resume", "Resume"], ["cancel", "Cancel"], ["preview", "Preview"]]) {
    const button = make("button", text, { "data-do": name, type: "button", "aria-label": `${text} ${row.name}` });
    button.addEventListener("click", () => (name === "preview" ? preview(item) : control(row.id, name)));
    buttons.append(button);
  }
  item.append(make("h3", row.name), bar, make("p"), buttons);
  $("downloads-list").prepend(item);
  return item;
}
const control = (id, action) => change(async () => { await post(`/api/downloads/${id}/${action}`); });
function preview(item) {
  const url = `/api/downloads/${item.dataset.id}/file`;
  const name = item.querySelector("h3").textContent;
  const kind = name.split(".").at(-1);
  let view;
  if (["png", "gif", "svg"].includes(kind)) view = make("img", "", { src: url, alt: `Preview of ${name}` });
  else if (kind === "mp4") view = make("video", "", { src: url, controls: "", muted: "", title: `Preview of ${name}` });
  else if (kind === "mp3") view = make("audio", "", { src: url, controls: "", title: `Preview of ${name}` });
  else if (kind === "pdf") view = make("iframe", "", { src: url, title: `Preview of ${name}` });
  else view = make("a", `${name} has no preview; open it`, { href: url, download: name });
  $("preview-body").replaceChildren(view);
  $("preview").hidden = false;
  // The preview is below the list: move the focus there.
  const title = $("preview").querySelector("h3");
  title.textContent = `Preview of ${name}`;
  title.focus();
}
$("catalogue").addEventListener("submit", (event) => {
  event.preventDefault();
  const base = ($("base").value || settings.world).replace(/\/+$/, "");
  const urls = [...document.querySelectorAll("#files input:checked")].map((box) => `${base}/files/${box.value}`);
  if ($("other-url").value) urls.push($("other-url").value);
  const priority = $("priority").value;
  change(async () => {
    if (!urls.length) return "Choose a file or enter a URL first.";
    const refused = urls.length - (await postJSON("/api/downloads", { urls, priority })).length;
    if (refused) return `${refused} of ${urls.length} were not queued: each is in the list already, is not an http or https URL, or the queue or the disk is full.`;
  });
});
$("restart").addEventListener("click", () => change(async () => { await post("/api/downloads/restart"); }));
$("clear").addEventListener("click", () => change(async () => { await post("/api/downloads/clear"); }));

// Upload
let sending = null;
$("upload-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const file = $("upload-file").files[0];
  if (!file) return say("upload-status", "Choose a file first.", true);
  // A new upload replaces the previous one.
  sending?.abort();
  const turn = new AbortController();
  sending = turn;
  let [free, hasArrived] = [null, false];
  $("upload-progress").value = 0;
  $("upload-answer").hidden = true;
  say("upload-status", "Sending…");
  try {
    if (file.size > Number(settings.largest)) throw new Error(`the file has ${size(file.size)}; the Playground takes up to ${size(Number(settings.largest))}`);
    free = await slot();
    if (!free) throw new Error(crowded);
    const query = elsewhere({ name: file.name, note: $("upload-note").value });
    const response = await reach(`/api/upload${query}`, { method: "POST", body: file, signal: turn.signal });
    for await (const step of steps(response)) {
      if (sending !== turn) return;
      $("upload-progress").value = step.fraction;
      // In steps of 10 %, since a screen reader reads each.
      say("upload-status", `${Math.floor(step.fraction * 10) * 10} % sent`);
      if (step.answer == null) continue;
      hasArrived = true;
      $("upload-answer").textContent = step.answer;
      $("upload-answer").hidden = false;
      say("upload-status", `${file.name} arrived: ${size(file.size)}.`);
    }
    if (!hasArrived) throw new Error("the connection ended before the response");
  } catch (error) {
    if (sending === turn) say("upload-status", error.message, true);
  } finally { free?.(); }
});

// Stream
function stop() {
  if (words?.isOpen) say("stream-status", "Stopped.");
  words?.close();
  streams(false);
}
/** The button to stop is enabled while there is a stream; the focus does not stay at a disabled button. */
function streams(isOn) {
  if (!isOn && document.activeElement === $("stream-stop")) $("stream-lines").focus();
  $("stream-stop").disabled = !isOn;
}
function stream(kind) {
  stop();
  $("stream-text").textContent = "";
  say("stream-status", "Loading…");
  streams(true);
  let [count, told] = [0, 0];
  const begun = performance.now();
  words = listen(`/api/stream/${kind}${elsewhere()}`, {
    value: (word) => {
      count += 1;
      // A stream may never end: keep only its last characters.
      $("stream-text").textContent = `${$("stream-text").textContent}${word} `.slice(-20000);
      // Once a second, since a screen reader reads each.
      const seconds = Math.floor((performance.now() - begun) / 1000);
      if (seconds > told) say("stream-status", `${count} words in ${seconds} s`);
      told = seconds;
    },
    failure: (message) => { say("stream-status", message, true); streams(false); },
    end: () => { say("stream-status", `All ${count} words received.`); streams(false); },
  });
}
$("stream-lines").addEventListener("click", () => stream("lines"));
$("stream-events").addEventListener("click", () => stream("events"));
$("stream-stop").addEventListener("click", stop);

// Network
function watchNetwork() {
  if (network?.isOpen) return;
  network = listen("/api/network", {
    value: (row) => {
      say("network-status", row.connectivity === "disconnected" ? "No internet connection." : `The machine is ${row.connectivity}.`);
      const facts = {
        "Connectivity": row.connectivity, "VPN in use": row.isVPNActive ? "yes" : "no",
        "VPN present": row.isVPNPresent ? "yes" : "no", "Primary interface": row.primary ?? "none",
        "Interfaces": row.interfaces.join(", "), "Source": row.source,
      };
      $("network-facts").replaceChildren(...Object.entries(facts).flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
    },
    failure: (message) => say("network-status", message, true),
  });
}

settings = await ask("/api/settings");
$("base").placeholder = settings.world;
$("socket-base").placeholder = settings.sockets;
for (const name of settings.files.split(" ")) {
  const label = make("label");
  label.append(make("input", "", { type: "checkbox", value: name }), ` ${name}`);
  $("files").append(label);
}
const wanted = tabs.find((tab) => `#${tab.getAttribute("aria-controls")}` === location.hash);
if (wanted) choose(wanted);
offerTraffic(settings.inspector, tabs.find((tab) => tab.getAttribute("aria-selected") === "true").getAttribute("aria-controls"));
document.body.dataset.ready = "yes";
