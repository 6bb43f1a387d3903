// ioredis 6: HELLO 3, CLIENT SETINFO and a ready check by INFO when it connects.
// node ioredis.js PORT SOCKET-PATH; see shared.js.

const Redis = require('ioredis');
const { assert, beforeEach, deferred, next, port, socketPath, test } = require('./shared.js');

// A client that is closed when the test ends, however it ends.
function connect(t, options = {}) {
  const redis = new Redis({ host: '127.0.0.1', port, ...options });
  redis.on('error', () => {}); // commands fail by themselves
  t.after(() => redis.disconnect());
  return redis;
}

beforeEach(async () => {
  const redis = new Redis({ host: '127.0.0.1', port });
  await redis.call('TICK', 'PAUSE');
  await redis.call('CLEAR', 'YES');
  await redis.quit();
});

test('connects, says who it is and finds the server ready', async (t) => {
  const redis = connect(t, { connectionName: 'watcher' });
  await next(redis, 'ready');
  assert.equal(await redis.ping(), 'PONG');
  const about = await redis.client('INFO');
  assert.match(about, / name=watcher .* lib-name=ioredis .*resp=3/);
  assert.match(about, /lib-ver=6\./);
});

test('an entity is a hash', async (t) => {
  const redis = connect(t);
  const id = await redis.call('SPAWN', 'position=1,2,3');
  assert.equal(await redis.hset(id, { 'position.x': -1.5, 'health.current': 40 }), 1);
  assert.deepEqual(await redis.hmget(id, 'position.x', 'ai.state'), ['-1.5', null]);
  assert.equal(Object.keys(await redis.hgetall(id)).length, 5);
  assert.deepEqual([await redis.exists(id), await redis.type(id), await redis.dbsize()], [1, 'hash', 1]);
  assert.deepEqual([await redis.del(id, '9:0'), await redis.hgetall(id)], [1, {}]);
});

test('RESP3 has maps, doubles and integers', async (t) => {
  const redis = connect(t, { replyMapping: 'resp3' });
  const id = await redis.call('SPAWN', 'position=1.5,2,3', 'health=40,100');
  assert.deepEqual({ ...(await redis.hgetall(id)) }, {
    'position.x': 1.5, 'position.y': 2, 'position.z': 3, 'health.current': 40, 'health.max': 100,
  });
  const parts = await redis.call('GET', id, 'health');
  assert.deepEqual({ ...parts.health }, { current: 40, max: 100 });
});

test('RESP2 has strings', async (t) => {
  const redis = connect(t, { protocol: 2 });
  const id = await redis.call('SPAWN', 'position=1.5,2,3', 'health=40,100');
  assert.deepEqual(await redis.hgetall(id), {
    'position.x': '1.5', 'position.y': '2', 'position.z': '3', 'health.current': '40', 'health.max': '100',
  });
});

test('a pipeline is answered in order', async (t) => {
  const redis = connect(t);
  const pipeline = redis.pipeline();
  for (let i = 0; i < 5000; ++i) pipeline.echo(String(i));
  const replies = await pipeline.exec();
  assert.deepEqual(replies, Array.from({ length: 5000 }, (_, i) => [null, String(i)]));
});

test('commands of one turn become a pipeline of its own', async (t) => {
  const redis = connect(t, { enableAutoPipelining: true });
  const ids = await Promise.all(Array.from({ length: 100 }, () => redis.call('SPAWN', 'position')));
  assert.equal(new Set(ids).size, 100);
});

test('a transaction runs as one, and not at all when a command is refused', async (t) => {
  const redis = connect(t);
  const id = await redis.call('SPAWN', 'position');
  const replies = await redis.multi()
    .hset(id, 'position.x', 7).hget(id, 'position.x').hset('9:9', 'position.x', 1).exec();
  assert.deepEqual(replies.slice(0, 2), [[null, 0], [null, '7']]);
  assert.match(replies[2][0].message, /^NOENT no entity 9:9/);
  await assert.rejects(redis.multi().hset(id, 'position.x', 8).call('SPWAN').exec(), /^ReplyError: EXECABORT/);
  assert.equal(await redis.hget(id, 'position.x'), '7');
});

test('errors name things and leave the connection usable', async (t) => {
  const redis = connect(t);
  await assert.rejects(redis.call('SPWAN'), /unknown command 'SPWAN' \(did you mean 'SPAWN'\?\)/);
  await assert.rejects(redis.hset('9:9', 'position.x', 1), /^ReplyError: NOENT no entity 9:9/);
  await assert.rejects(redis.watch('9:9'), /not supported: WATCH/);
  assert.equal(await redis.ping(), 'PONG');
});

test('any byte comes back', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 1024 }, (_, i) => i % 256));
  assert.deepEqual(await connect(t).echoBuffer(bytes), bytes);
});

test('a scan stream has every entity once', async (t) => {
  const redis = connect(t);
  const ids = await redis.call('SPAWN', 'COUNT', 2500, 'position');
  const seen = [];
  for await (const page of redis.scanStream({ count: 100 })) seen.push(...page);
  assert.deepEqual(seen.sort(), ids.sort());
});

test('events come to who subscribes, in RESP3 and in RESP2', async (t) => {
  const redis = connect(t);
  for (const protocol of [3, 2]) {
    const listener = connect(t, { protocol });
    await listener.subscribe('events:spawn');
    await listener.psubscribe('events:*');
    const message = next(listener, 'message');
    const pmessage = next(listener, 'pmessage');
    const id = await redis.call('SPAWN', 'position');
    const [channel, text] = await message;
    assert.deepEqual([channel, JSON.parse(text).entities], ['events:spawn', [id]]);
    assert.deepEqual((await pmessage).slice(0, 2), ['events:*', 'events:spawn']);
    await listener.ping();
    await listener.unsubscribe('events:spawn'); // named: unnamed ones wait for the end of every subscription
    await listener.punsubscribe('events:*');
    assert.equal(await listener.dbsize(), await redis.dbsize());
  }
});

test('commands are monitored', async (t) => {
  const redis = connect(t);
  const monitor = await redis.monitor();
  t.after(() => monitor.disconnect());
  const { promise, resolve } = deferred();
  monitor.on('monitor', (time, words) => words[0] === 'ECHO' && resolve(words));
  await connect(t).call('ECHO', 'heard');
  assert.deepEqual(await promise, ['ECHO', 'heard']);
});

test('settings, the slow log and the state of the server are read', async (t) => {
  const redis = connect(t);
  assert.deepEqual(await redis.config('GET', 'max-query-rows'), ['max-query-rows', '10000']);
  assert.ok(Array.isArray(await redis.slowlog('GET', 10)));
  assert.match(await redis.info('keyspace'), /# Keyspace/);
  assert.ok((await redis.command('COUNT')) > 50);
});

test('comes back after the server was started again, and subscribes again', async (t) => {
  const redis = connect(t, { path: socketPath, retryStrategy: () => 50 });
  const listener = connect(t, { path: socketPath, retryStrategy: () => 50 });
  await listener.subscribe('events:spawn');
  const back = [next(redis, 'close').then(() => next(redis, 'ready')),
    next(listener, 'close').then(() => next(listener, 'ready'))];
  redis.call('SHUTDOWN', 'NOSAVE').catch(() => {}); // whether its reply comes is no matter here
  await Promise.all(back);
  let heard;
  next(listener, 'message').then(([channel]) => { heard = channel; });
  while (!heard) await redis.call('SPAWN', 'position');
  assert.equal(heard, 'events:spawn');
});
