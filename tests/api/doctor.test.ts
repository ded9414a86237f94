import dns from 'node:dns/promises';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  checkAddress,
  checkData,
  checkDisk,
  checkDoors,
  checkFolder,
  checkNode,
  checkPort,
} from '../../src/program/doctor/checks.ts';
import { oldFolder } from '../support/old-folder.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';

const HOST = '127.0.0.1';
const says = (mark: string, text: string) => ({ mark, text: expect.stringContaining(text) as string });

let folder: string;
/** The product, on a data folder of this version. */
let product: TestServer;
let productPort: number;
/** A port that another program has. */
let other: Server;
let otherPort: number;
beforeAll(async () => {
  folder = await newFolder();
  product = await startServer({ dataDir: join(folder, 'ours') });
  productPort = Number(new URL(product.url).port);
  other = createServer((_request, response) => response.end('other'));
  await new Promise<void>((listening) => other.listen(0, HOST, listening));
  otherPort = (other.address() as AddressInfo).port;
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await product.stop();
  other.close();
  await rm(folder, { recursive: true, force: true });
});

test('Node, the disk and the address are good, noted or bad', () => {
  expect(checkNode('24.0.1')).toEqual({ mark: 'good', text: 'Node 24.0.1.' });
  expect(checkNode('20.19.0')).toEqual(says('bad', 'troppo vecchio'));
  const gigabytes = (count: number) => checkDisk({ DATA_DIR: folder }, count * 1e9);
  expect(gigabytes(50)).toEqual({ mark: 'good', text: 'Spazio libero sul disco: 50 GB.' });
  expect(gigabytes(1.5)).toMatchObject({ mark: 'note' });
  expect(gigabytes(0.05)).toEqual(says('bad', 'troppo poco'));
  for (const [PUBLIC_URL, mark] of [
    [undefined, 'note'],
    ['http://192.168.1.7:3000', 'note'],
    ['https://localhost', 'note'],
    ['http://sorpresa.example', 'note'],
    ['https://sorpresa.example', 'good'],
  ])
    expect(checkAddress({ PUBLIC_URL }), PUBLIC_URL).toMatchObject({ mark });
});

test('the data folder is good where it is one’s own or can be made, and bad where it is a file', async () => {
  expect(checkFolder({ DATA_DIR: folder })).toMatchObject({ mark: 'good' });
  expect(checkFolder({ DATA_DIR: join(folder, 'a/b') })).toEqual(
    says('good', 'la cartella la fa il primo avvio'),
  );
  await writeFile(join(folder, 'file'), '');
  expect(checkFolder({ DATA_DIR: join(folder, 'file') })).toEqual(says('bad', 'non è una cartella'));
});

test('the data are good of this version or none, noted of an older one, bad of a newer or unreadable one', async () => {
  const data = (DATA_DIR: string, DATABASE_URL?: string) => checkData({ DATA_DIR, DATABASE_URL });
  expect(await data(folder)).toEqual({ mark: 'good', text: 'Non ci sono ancora dati.' });
  const ours = await data(product.deps.env.DATA_DIR);
  expect(ours).toEqual({ mark: 'good', text: 'I dati sono di questa versione.' });
  const { dataDir } = await oldFolder('0.1.0');
  expect(await data(dataDir)).toEqual(says('note', 'il prossimo avvio ne fa una copia'));
  const database = new DatabaseSync(join(dataDir, 'sorpresa.db'));
  database.exec("insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')");
  database.close();
  expect(await data(dataDir)).toEqual(says('bad', 'più recente'));
  await writeFile(join(dataDir, 'sorpresa.db'), 'Not a database. '.repeat(1_000));
  expect(await data(dataDir)).toEqual(says('bad', 'restore a backup'));
  expect(await data(dataDir, 'postgres://a:b@127.0.0.1:1/c')).toEqual(says('bad', 'DATABASE_URL'));
  await rm(dataDir, { recursive: true });
});

test('the port is good where it is free, noted where the product has it, bad where another program has', async () => {
  expect(await checkPort({ HOST, PORT: 0 })).toMatchObject({ mark: 'good' });
  expect(await checkPort({ HOST, PORT: productPort })).toEqual(says('note', 'già in funzione'));
  expect(await checkPort({ HOST, PORT: otherPort })).toEqual(says('bad', 'set PORT to another one'));
});

describe('a certificate of its own', () => {
  const DOORS = { HOST, PORT: 1, HTTP_PORT: 0, HTTPS_PORT: 0 };
  const named = (more = {}) => checkDoors({ ...DOORS, HTTPS_DOMAIN: ['sorpresa.example'], ...more });
  const leadsTo = (...addresses: string[]) => {
    vi.spyOn(dns, 'resolve4').mockResolvedValue(addresses);
    vi.spyOn(dns, 'resolve6').mockResolvedValue([]);
  };

  test('is looked at where it is wanted: the name must lead here', async () => {
    expect(await checkDoors({ ...DOORS, HTTPS_DOMAIN: undefined })).toEqual([]);
    leadsTo('127.0.0.1');
    const [http, https, name] = await named();
    expect([http?.mark, https?.mark]).toEqual(['good', 'good']);
    expect(name).toEqual({ mark: 'good', text: 'sorpresa.example può portare a questo computer.' });
    leadsTo('127.0.0.9');
    expect((await named()).at(-1)).toEqual(says('bad', 'sorpresa.example porta a 127.0.0.9'));
    leadsTo();
    expect((await named()).at(-1)).toEqual(says('bad', 'non ha ancora un indirizzo'));
  });

  test('needs both ports, which nobody else or the product itself may have', async () => {
    leadsTo('127.0.0.1');
    const taken = `La porta ${otherPort} la sta già usando un altro programma`;
    expect((await named({ HTTP_PORT: otherPort }))[0]).toEqual(says('bad', taken));
    const ours = await named({ HTTP_PORT: otherPort, PORT: productPort });
    expect(ours[0]).toMatchObject({ mark: 'note' });
  });
});
