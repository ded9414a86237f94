import { describe, expect, it } from 'vitest';
import {
  isBusy,
  isCheckViolation,
  isNoRoom,
  isSerializationFailure,
  isUniqueViolation,
} from '../../src/server/db/errors.ts';
import { databaseInWords } from '../../src/server/db/in-words.ts';
import { DatabaseUnavailable, isUnavailable, named } from '../../src/server/db/unavailable.ts';
import { UpgradeFailed } from '../../src/server/db/upgrade.ts';
import { isOutage } from '../../src/server/http/outage.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';

/** What SQLite, PostgreSQL and the network say when they can't, and what it is taken for. */

const sqlite = (errcode: unknown) => Object.assign(new Error('sqlite'), { errcode });
const coded = (code: unknown) => Object.assign(new Error('refused'), { code });

const KINDS = {
  isUniqueViolation,
  isCheckViolation,
  isNoRoom,
  isBusy,
  isSerializationFailure,
  isUnavailable,
};
const kindsOf = (error: unknown) =>
  Object.entries(KINDS)
    .flatMap(([name, is]) => (is(error) ? [name.slice(2)] : []))
    .join();

it('takes SQLite’s codes for what they mean', () => {
  const codes: [unknown, string][] = [
    ...[2067, 1555, 2579].map((code): [number, string] => [code, 'UniqueViolation']),
    [275, 'CheckViolation'],
    ...[1299, 1, 11, 20, '5'].map((code): [unknown, string] => [code, '']),
    ...[5, 517, 6].map((code): [number, string] => [code, 'Busy,Unavailable']),
    ...[7, 8, 266, 14, 15].map((code): [number, string] => [code, 'Unavailable']),
    ...[13, 4874].map((code): [number, string] => [code, 'NoRoom,Unavailable']),
  ];
  expect(codes.map(([code]) => [code, kindsOf(sqlite(code))])).toEqual(codes);
});

it('takes PostgreSQL’s codes, the system’s and the network’s for what they mean', () => {
  const codes: [unknown, string][] = [
    ['23505', 'UniqueViolation'],
    ['23514', 'CheckViolation'],
    ...['40001', '40P01'].map((code): [string, string] => [code, 'SerializationFailure,Unavailable']),
    ['53100', 'NoRoom,Unavailable'],
    ...['53300', '57P01', '25006', 'ECONNREFUSED'].map((code): [string, string] => [code, 'Unavailable']),
    ...['ENOSPC', 'EDQUOT', 'EFBIG'].map((code): [string, string] => [code, 'NoRoom']),
    ...['23503', '42P01', 'ENOENT', 23505].map((code): [unknown, string] => [code, '']),
  ];
  expect(codes.map(([code]) => [code, kindsOf(coded(code))])).toEqual(codes);
  expect(kindsOf(new Error('not written', { cause: coded('ENOSPC') }))).toBe('NoRoom');
  expect(kindsOf(new Error('Connection terminated unexpectedly'))).toBe('Unavailable');
  for (const other of [new Error('no'), { errcode: 5, code: '23505' }]) expect(kindsOf(other)).toBe('');
});

it('names what means that the database can’t, once, and leaves everything else as it is', () => {
  const [lost, other] = [coded('ECONNRESET'), new Error('no')];
  const told = named(lost);
  expect(told).toBeInstanceOf(DatabaseUnavailable);
  expect(told).toMatchObject({ message: 'refused', cause: lost });
  expect([named(told), named(other)]).toEqual([told, other]);
});

it('takes too many open files and what the storage can’t for outages, too', () => {
  for (const error of [coded('EMFILE'), coded('ENFILE'), new StorageUnavailable('no'), sqlite(5)])
    expect(isOutage(error)).toBe(true);
  for (const error of [coded('ENOENT'), coded(24), new Error('no'), 'EMFILE', null])
    expect(isOutage(error)).toBe(false);
});

describe('a database that can’t be opened', () => {
  const onDisk = { DATA_DIR: '/d', DATABASE_URL: undefined };
  const far = { DATA_DIR: '/d', DATABASE_URL: 'postgres://u:segreto@a:5432/sera' };
  const told = (where: typeof onDisk | typeof far, error: Error) => databaseInWords(where, error) as Error;

  it.each<[string, Error, RegExp]>([
    ['may not be read', sqlite(3), /must be allowed to read and write it/],
    ['may not be written', sqlite(8), /the disk must not be read-only/],
    ['may not be written, in other words', sqlite(1032), /the disk must not be read-only/],
    ['is on a disk that is read-only', coded('EROFS'), /the disk must not be read-only/],
    ['can’t be read', sqlite(10), /look at the disk/],
    ['is damaged', sqlite(11), /It is damaged/],
    ['has no room', sqlite(13), /The disk is full/],
    ['has no room on the disk', coded('ENOSPC'), /The disk is full/],
    ['is no file', sqlite(14), /must be a file/],
    ['is none', sqlite(26), /no SQLite database/],
  ])('that %s is told with its file and what to do', (_what, error, words) => {
    expect(told(onDisk, error).message).toMatch(words);
    expect(told(onDisk, error).message).toContain('/d/sorpresa.db');
  });

  it.each([
    ['28P01', /Correct DATABASE_URL, or make the user/],
    ['3D000', /Correct DATABASE_URL, or make the user/],
    ['57P03', /Start it, or correct DATABASE_URL/],
    ['ECONNREFUSED', /Start it, or correct DATABASE_URL/],
  ])('on PostgreSQL (%s) is told without its password', (code, words) => {
    const { message } = told(far, coded(code));
    expect(message).toMatch(words);
    expect(message).toContain('The database a:5432/sera of DATABASE_URL');
    expect(message).not.toContain('segreto');
  });

  it('for another reason, or where its upgrade failed, keeps its own words', () => {
    for (const error of [sqlite(1), new Error('no'), Object.assign(new UpgradeFailed('so'), { errcode: 13 })])
      expect(told(onDisk, error)).toBe(error);
    for (const error of [coded('42P01'), coded('')]) expect(told(far, error)).toBe(error);
  });
});
