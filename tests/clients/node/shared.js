// What the tests of both libraries share: where the server is, and a way to wait.
// The server has an empty world, and is started again when it ends; its unix socket stays where it was.

const assert = require('node:assert/strict');
const runner = require('node:test');

const [port, socketPath] = process.argv.slice(2);
const WAIT_MILLISECONDS = 20_000; // a hang must fail; speed is no test's business

// A test that hangs fails under its own name.
function test(name, body) {
  runner.test(name, { timeout: WAIT_MILLISECONDS }, body);
}

// Resolves with what `event` of an emitter was called with.
function next(emitter, event) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no '${event}' comes`)), WAIT_MILLISECONDS);
    emitter.once(event, (...values) => {
      clearTimeout(timer);
      resolve(values);
    });
  });
}

// A promise and the function that resolves it.
function deferred() {
  let resolve;
  const promise = new Promise((resolved) => { resolve = resolved; });
  return { promise, resolve };
}

module.exports = { assert, beforeEach: runner.beforeEach, deferred, next, port: Number(port), socketPath, test };
