/**
 * The baseline on PostgreSQL: Hono on Node's own server and `pg`, one transaction per entry. A message to one node
 * reaches all by NOTIFY.
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Client, Pool } from 'pg';
import { bareStreams } from './floor-streams.ts';

const [connectionString = ''] = process.argv.slice(2);
/** The product's pool size. */
const pool = new Pool({ connectionString, max: 10 });

const used = { name: 'used', text: 'update codes set used = used + 1 where id = 1' };
const inserts = ['visits', 'entries', 'events'].map((table) => ({
  name: table,
  text: `insert into ${table} values ($1, $2)`,
}));

const app = new Hono();
app.post('/enter', async (c) => {
  const body = await c.req.text();
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const insert of inserts) await client.query({ ...insert, values: [crypto.randomUUID(), body] });
    await client.query(used);
    await client.query('commit');
  } finally {
    client.release();
  }
  return c.json({ entered: true });
});
app.post('/tell', async (c) => {
  await pool.query('notify told');
  return c.json({});
});
const streams = bareStreams();
app.route('/', streams.app);
const listener = new Client({ connectionString });
await listener.connect();
listener.on('notification', streams.tellAll);
await listener.query('listen told');
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
process.once('SIGTERM', () => process.exit(0));
