import { execFile } from 'node:child_process';
import dns from 'node:dns/promises';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  checkAddress,
  checkData,
  checkDisk,
  checkDoors,
  checkFolder,
  checkNode,
  checkPort,
} from '../../src/program/doctor/checks.ts';
import { bundledProgram } from '../support/bundled.ts';
import { oldFolder } from '../support/old-folder.ts';
import { newFolder, startServer } from '../support/server.ts';

const LISTENING = { HOST: '127.0.0.1' };

let folder: string;
beforeEach(async () => (folder = await newFolder()));
afterEach(() => rm(folder, { recursive: true, force: true }));

const data = (DATA_DIR: string, DATABASE_URL?: string) => checkData({ DATA_DIR, DATABASE_URL });
const gigabytes = (count: number) => checkDisk({ DATA_DIR: folder }, count * 1e9);

async function doctor(env: Record<string, string>): Promise<{ code: number; stdout: string }> {
  const settings = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...env };
  const command = [await bundledProgram(), 'doctor'];
  return new Promise((done) => {
    execFile(process.execPath, command, { env: settings }, (error, stdout) =>
      done({ code: error === null ? 0 : Number(error.code), stdout }),
    );
  });
}

test('says each thing in a line, ends well, and touches nothing', async () => {
  const absent = join(folder, 'data');
  const { code, stdout } = await doctor({ DATA_DIR: absent, PUBLIC_URL: 'https://sorpresa.example' });
  expect(stdout).toContain('✓ Film, canzoni e immagini si possono lavorare.\n');
  expect(stdout).toContain('✓ Lei apre https://sorpresa.example.\n');
  expect(stdout).toMatch(/\n\nQui può funzionare tutto\.\n$/);
  expect(stdout).not.toContain('✗');
  expect(code).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

test('a wrong setting is told, and ends it with 1', async () => {
  const { code, stdout } = await doctor({ PORT: 'abc' });
  expect(stdout).toMatch(/✗ Le impostazioni: .*PORT: /);
  expect(stdout).toMatch(/\n\nCosì non va: vedi i punti con ✗\.\n$/);
  expect(code).toBe(1);
});

test('Node', () => {
  expect(checkNode('24.0.1')).toEqual({ mark: 'good', text: 'Node 24.0.1.' });
  expect(checkNode('20.19.0')).toMatchObject({
    mark: 'bad',
    text: expect.stringContaining('troppo vecchio'),
  });
});

describe('the data folder', () => {
  test('that is one’s own, or can be made, is good', () => {
    expect(checkFolder({ DATA_DIR: folder })).toMatchObject({ mark: 'good' });
    expect(checkFolder({ DATA_DIR: join(folder, 'a/b') })).toMatchObject({
      mark: 'good',
      text: expect.stringContaining('la cartella la fa il primo avvio'),
    });
  });

  test('is bad where a file is in its place', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(checkFolder({ DATA_DIR: join(folder, 'file') })).toMatchObject({
      mark: 'bad',
      text: expect.stringContaining('non è una cartella'),
    });
  });
});

describe('the data', () => {
  test('of this version, and none, are good', async () => {
    expect(await data(folder)).toEqual({ mark: 'good', text: 'Non ci sono ancora dati.' });
    await startServer({ dataDir: folder }).then((server) => server.stop());
    expect(await data(folder)).toEqual({ mark: 'good', text: 'I dati sono di questa versione.' });
  });

  test('of an older version are noted', async () => {
    const { dataDir } = await oldFolder('0.1.0');
    expect(await data(dataDir)).toMatchObject({
      mark: 'note',
      text: expect.stringContaining('il prossimo avvio ne fa una copia'),
    });
    await rm(dataDir, { recursive: true });
  });

  test('of a newer version are bad', async () => {
    const { dataDir } = await oldFolder('0.1.0');
    const database = new DatabaseSync(join(dataDir, 'sorpresa.db'));
    database.exec("insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')");
    database.close();
    expect(await data(dataDir)).toMatchObject({ mark: 'bad', text: expect.stringContaining('più recente') });
    await rm(dataDir, { recursive: true });
  });

  test('are bad where the database can’t be read or reached', async () => {
    await writeFile(join(folder, 'sorpresa.db'), 'Not a database. '.repeat(1_000));
    expect(await data(folder)).toMatchObject({
      mark: 'bad',
      text: expect.stringContaining('restore a backup'),
    });
    expect(await data(folder, 'postgres://a:b@127.0.0.1:1/c')).toMatchObject({
      mark: 'bad',
      text: expect.stringContaining('DATABASE_URL'),
    });
  });
});

test('the disk', () => {
  expect(gigabytes(50)).toEqual({ mark: 'good', text: 'Spazio libero sul disco: 50 GB.' });
  expect(gigabytes(1.5)).toMatchObject({ mark: 'note' });
  expect(gigabytes(0.05)).toMatchObject({ mark: 'bad', text: expect.stringContaining('troppo poco') });
});

describe('the port', () => {
  test('is good where it is free', async () => {
    expect(await checkPort({ ...LISTENING, PORT: 0 })).toMatchObject({ mark: 'good' });
  });

  test('is noted where the product has it', async () => {
    const server = await startServer();
    const PORT = Number(new URL(server.url).port);
    expect(await checkPort({ ...LISTENING, PORT })).toMatchObject({
      mark: 'note',
      text: expect.stringContaining('già in funzione'),
    });
    await server.stop();
  });

  test('is bad where somebody else has it', async () => {
    const other = createServer((_request, response) => response.end('other'));
    await new Promise<void>((listening) => other.listen(0, LISTENING.HOST, listening));
    const { port: PORT } = other.address() as AddressInfo;
    expect(await checkPort({ ...LISTENING, PORT })).toMatchObject({
      mark: 'bad',
      text: expect.stringContaining('set PORT to another one'),
    });
    await new Promise((closed) => other.close(closed));
  });
});

describe('a certificate of its own', () => {
  const DOORS = { HOST: '127.0.0.1', PORT: 1, HTTP_PORT: 0, HTTPS_PORT: 0 };
  const named = (more = {}) => checkDoors({ ...DOORS, HTTPS_DOMAIN: ['sorpresa.example'], ...more });
  afterEach(() => void vi.restoreAllMocks());

  function leadsTo(addresses: string[]): void {
    vi.spyOn(dns, 'resolve4').mockResolvedValue(addresses);
    vi.spyOn(dns, 'resolve6').mockResolvedValue([]);
  }

  test('is not looked at where none is wanted', async () => {
    expect(await checkDoors({ ...DOORS, HTTPS_DOMAIN: undefined })).toEqual([]);
  });

  test('is good where both ports are free and the name leads here', async () => {
    leadsTo(['127.0.0.1']);
    const [http, https, name] = await named();
    expect([http?.mark, https?.mark]).toEqual(['good', 'good']);
    expect(name).toEqual({ mark: 'good', text: 'sorpresa.example può portare a questo computer.' });
  });

  test('is bad where the name leads to another machine, or nowhere', async () => {
    leadsTo(['127.0.0.9']);
    const elsewhere = expect.stringContaining('sorpresa.example porta a 127.0.0.9') as unknown;
    expect((await named()).at(-1)).toEqual({ mark: 'bad', text: elsewhere });
    leadsTo([]);
    const nowhere = expect.stringContaining('non ha ancora un indirizzo') as unknown;
    expect((await named()).at(-1)).toEqual({ mark: 'bad', text: nowhere });
  });

  test('is bad where a port is somebody else’s, and noted where it is the product’s', async () => {
    leadsTo(['127.0.0.1']);
    const other = createServer((_request, response) => response.end('other'));
    await new Promise<void>((listening) => other.listen(0, LISTENING.HOST, listening));
    const { port: HTTP_PORT } = other.address() as AddressInfo;
    expect((await named({ HTTP_PORT }))[0]).toEqual({
      mark: 'bad',
      text: expect.stringContaining(`La porta ${HTTP_PORT} la sta già usando un altro programma`) as unknown,
    });
    const server = await startServer();
    const PORT = Number(new URL(server.url).port);
    expect((await named({ HTTP_PORT, PORT }))[0]).toMatchObject({ mark: 'note' });
    await server.stop();
    await new Promise((closed) => other.close(closed));
  });
});

test.each([
  [undefined, 'note'],
  ['http://192.168.1.7:3000', 'note'],
  ['https://localhost', 'note'],
  ['http://sorpresa.example', 'note'],
  ['https://sorpresa.example', 'good'],
])('the address %s is %s', (PUBLIC_URL, mark) => {
  expect(checkAddress({ PUBLIC_URL })).toMatchObject({ mark });
});
