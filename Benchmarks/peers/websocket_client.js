// node's `ws`, with the arguments of bench-websocket: prints messages per second.
//
//     websocket_client.js URL SIZE IN-FLIGHT MESSAGES [--text|--cyrillic|--chinese]
//
// WS is the folder of `ws`; without it, node resolves `ws` as usual.
const WebSocket = require(process.env.WS || 'ws');

const [url, size, inFlight, count] = [process.argv[2], ...process.argv.slice(3, 6).map(Number)];
const phrases = {
  '--text': 'x', '--cyrillic': 'Съешь же ещё этих мягких булок, ', '--chinese': '天地玄黃宇宙洪荒日月盈昃，',
};
const phrase = phrases[process.argv.slice(6).find((flag) => flag in phrases)];
const length = phrase ? Buffer.byteLength(phrase) : 1;
const payload = phrase
  ? phrase.repeat(Math.floor(size / length)) + 'x'.repeat(size % length) : Buffer.alloc(size, 'x');
const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 26 });

function exchange(number) {
  return new Promise((resolve) => {
    let sent = 0;
    let received = 0;
    socket.removeAllListeners('message');
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? data : data.toString();
      if (message.length !== payload.length) process.exit(1);
      received += 1;
      if (sent < number) {
        sent += 1;
        socket.send(payload);
      } else if (received === number) {
        resolve();
      }
    });
    while (sent < Math.min(inFlight, number)) {
      sent += 1;
      socket.send(payload);
    }
  });
}

socket.on('open', async () => {
  await exchange(Math.max(inFlight, Math.floor(count / 10)));
  const begin = process.hrtime.bigint();
  await exchange(count);
  console.log(Math.floor(count / (Number(process.hrtime.bigint() - begin) / 1e9)));
  socket.terminate();
});
