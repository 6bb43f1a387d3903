// node-redis 6 (the npm package `redis`): HELLO 3 when it connects.
// node node_redis.js PORT SOCKET-PATH; see shared.js.

const { createClient } = require('redis');
const { assert, beforeEach, deferred, next, port, socketPath, test } = require('./shared.js');

// A connected client that is closed when the test ends, however it ends.
async function connect(t, options = {}) {
  const client = createClient({ socket: { host: '127.0.0.1', port }, ...options });
  client.on('error', () => {}); // commands fail by themselves
  t.after(() => client.isOpen && client.destroy());
  return client.connect();
}

beforeEach(async () => {
  const client = await createClient({ socket: { host: '127.0.0.1', port } }).connect();
  await client.sendCommand(['TICK', 'PAUSE']);
  await client.sendCommand(['CLEAR', 'YES']);
  await client.close();
});

test('connects, and says who it is', async (t) => {
  const client = await connect(t, { name: 'watcher' });
  assert.equal(await client.ping(), 'PONG');
  const about = await client.sendCommand(['CLIENT', 'INFO']);
  assert.match(about, / name=watcher .* lib-name=node-redis .*resp=3/);
  assert.equal(await client.clientGetName(), 'watcher');
  assert.equal(typeof await client.clientId(), 'number');
  assert.equal((await client.clientInfo()).name, 'watcher');
});

test('an entity is a hash of numbers', async (t) => {
  const client = await connect(t);
  const id = await client.sendCommand(['SPAWN', 'position=1,2,3']);
  assert.equal(await client.hSet(id, { 'position.x': -1.5, 'health.current': 40 }), 1);
  assert.deepEqual({ ...(await client.hGetAll(id)) }, {
    'position.x': -1.5, 'position.y': 2, 'position.z': 3, 'health.current': 40, 'health.max': 100,
  });
  assert.deepEqual(await client.hmGet(id, ['position.x', 'ai.state']), [-1.5, null]);
  assert.deepEqual([await client.hGet(id, 'health.max'), await client.hLen(id)], [100, 5]);
  assert.deepEqual([await client.exists(id), await client.type(id), await client.dbSize()], [1, 'hash', 1]);
  assert.deepEqual([await client.del([id, '9:9']), { ...(await client.hGetAll(id)) }], [1, {}]);
});

test('RESP3 has maps in maps', async (t) => {
  const client = await connect(t);
  const id = await client.sendCommand(['SPAWN', 'health=40,100']);
  const parts = await client.sendCommand(['GET', id]);
  assert.deepEqual({ ...parts.health }, { current: 40, max: 100 });
});

test('RESP2 has strings', async (t) => {
  const client = await connect(t, { RESP: 2 });
  const id = await client.sendCommand(['SPAWN', 'position=1.5,2,3', 'health=40,100']);
  assert.deepEqual({ ...(await client.hGetAll(id)) }, {
    'position.x': '1.5', 'position.y': '2', 'position.z': '3', 'health.current': '40', 'health.max': '100',
  });
});

test('commands of one turn are a pipeline, answered in order', async (t) => {
  const client = await connect(t);
  const replies = await Promise.all(Array.from({ length: 5000 }, (_, i) => client.echo(String(i))));
  assert.deepEqual(replies, Array.from({ length: 5000 }, (_, i) => String(i)));
});

test('a transaction runs as one, and not at all when a command is refused', async (t) => {
  const client = await connect(t);
  const id = await client.sendCommand(['SPAWN', 'position']);
  const replies = await client.multi().hSet(id, 'position.x', 7).hGet(id, 'position.x').exec();
  assert.deepEqual(replies, [0, 7]);
  const failing = await client.multi().hSet('9:9', 'position.x', 1).ping().exec().catch((error) => error.replies);
  assert.match(failing[0].message, /^NOENT no entity 9:9/);
  assert.equal(failing[1], 'PONG');
  const refused = client.multi().hSet(id, 'position.x', 8).addCommand(['SPWAN']).exec();
  await assert.rejects(refused, /did you mean 'SPAWN'/);
  assert.equal(await client.hGet(id, 'position.x'), 7);
});

test('errors name things and leave the connection usable', async (t) => {
  const client = await connect(t);
  await assert.rejects(client.sendCommand(['SPWAN']), /unknown command 'SPWAN' \(did you mean 'SPAWN'\?\)/);
  await assert.rejects(client.hSet('9:9', 'position.x', 1), /NOENT no entity 9:9/);
  await assert.rejects(client.watch('9:9'), /not supported: WATCH/);
  assert.equal(await client.ping(), 'PONG');
});

test('a scan iterator has every entity once', async (t) => {
  const client = await connect(t);
  const ids = await client.sendCommand(['SPAWN', 'COUNT', '2500', 'position']);
  const seen = [];
  for await (const page of client.scanIterator({ COUNT: 100 })) seen.push(...page);
  assert.deepEqual(seen.sort(), ids.sort());
  assert.deepEqual((await client.keys('*')).sort(), ids);
});

test('events come to who subscribes, in RESP3 and in RESP2', async (t) => {
  const client = await connect(t);
  for (const RESP of [3, 2]) {
    const listener = await connect(t, { RESP });
    const [message, pmessage] = [deferred(), deferred()];
    await listener.subscribe('events:spawn', (text, channel) => message.resolve([text, channel]));
    await listener.pSubscribe('events:*', (text, channel) => pmessage.resolve([text, channel]));
    const id = await client.sendCommand(['SPAWN', 'position']);
    const [text, channel] = await message.promise;
    assert.deepEqual([channel, JSON.parse(text).entities], ['events:spawn', [id]]);
    assert.deepEqual(await pmessage.promise, [text, channel]);
    await listener.ping();
    await listener.unsubscribe();
    await listener.pUnsubscribe();
    assert.equal(await listener.dbSize(), await client.dbSize());
  }
});

test('commands are monitored', async (t) => {
  const monitor = await connect(t);
  const { promise, resolve } = deferred();
  await monitor.monitor((line) => String(line).includes('ECHO') && resolve(String(line)));
  const client = await connect(t);
  await client.echo('heard');
  assert.match(await promise, /"ECHO" "heard"/);
});

test('settings and the state of the server are read', async (t) => {
  const client = await connect(t);
  assert.deepEqual({ ...(await client.configGet('max-query-rows')) }, { 'max-query-rows': '10000' });
  assert.match(await client.info('keyspace'), /# Keyspace/);
  assert.ok((await client.commandCount()) > 50);
  assert.ok((await client.commandList()).includes('spawn'));
  assert.equal((await client.commandInfo(['hset']))[0].name, 'hset');
});

test('comes back after the server was started again, and subscribes again', async (t) => {
  const socket = { path: socketPath, reconnectStrategy: 50 };
  const client = await connect(t, { socket });
  const listener = await connect(t, { socket });
  let heard;
  await listener.subscribe('events:spawn', (text, channel) => { heard = channel; });
  const back = [next(client, 'reconnecting').then(() => next(client, 'ready')),
    next(listener, 'reconnecting').then(() => next(listener, 'ready'))];
  client.sendCommand(['SHUTDOWN', 'NOSAVE']).catch(() => {}); // whether its reply comes is no matter here
  await Promise.all(back);
  while (!heard) await client.sendCommand(['SPAWN', 'position']);
  assert.equal(heard, 'events:spawn');
});
