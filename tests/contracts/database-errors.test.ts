import { describe, expect, test } from 'vitest';
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
  Object.entries(KINDS).flatMap(([name, is]) => (is(error) ? [name.slice(2)] : []));

test.each<[string, unknown, string[]]>([
  ['SQLITE_CONSTRAINT_UNIQUE', sqlite(2067), ['UniqueViolation']],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', sqlite(1555), ['UniqueViolation']],
  ['SQLITE_CONSTRAINT_ROWID', sqlite(2579), ['UniqueViolation']],
  ['SQLITE_CONSTRAINT_CHECK', sqlite(275), ['CheckViolation']],
  ['SQLITE_CONSTRAINT_NOTNULL', sqlite(1299), []],
  ['SQLITE_ERROR', sqlite(1), []],
  ['SQLITE_BUSY', sqlite(5), ['Busy', 'Unavailable']],
  ['SQLITE_BUSY_SNAPSHOT', sqlite(517), ['Busy', 'Unavailable']],
  ['SQLITE_LOCKED', sqlite(6), ['Busy', 'Unavailable']],
  ['SQLITE_NOMEM', sqlite(7), ['Unavailable']],
  ['SQLITE_READONLY', sqlite(8), ['Unavailable']],
  ['SQLITE_IOERR_READ', sqlite(266), ['Unavailable']],
  ['SQLITE_CORRUPT', sqlite(11), []],
  ['SQLITE_FULL', sqlite(13), ['NoRoom', 'Unavailable']],
  ['SQLITE_IOERR_SHMSIZE', sqlite(4874), ['NoRoom', 'Unavailable']],
  ['SQLITE_CANTOPEN', sqlite(14), ['Unavailable']],
  ['SQLITE_PROTOCOL', sqlite(15), ['Unavailable']],
  ['SQLITE_MISMATCH', sqlite(20), []],
  ['a code that is no number', sqlite('5'), []],
  ['unique_violation', coded('23505'), ['UniqueViolation']],
  ['check_violation', coded('23514'), ['CheckViolation']],
  ['foreign_key_violation', coded('23503'), []],
  ['serialization_failure', coded('40001'), ['SerializationFailure', 'Unavailable']],
  ['deadlock_detected', coded('40P01'), ['SerializationFailure', 'Unavailable']],
  ['disk_full', coded('53100'), ['NoRoom', 'Unavailable']],
  ['too_many_connections', coded('53300'), ['Unavailable']],
  ['admin_shutdown', coded('57P01'), ['Unavailable']],
  ['read_only_sql_transaction', coded('25006'), ['Unavailable']],
  ['undefined_table', coded('42P01'), []],
  ['ENOSPC', coded('ENOSPC'), ['NoRoom']],
  ['EDQUOT', coded('EDQUOT'), ['NoRoom']],
  ['because of ENOSPC', new Error('not written', { cause: coded('ENOSPC') }), ['NoRoom']],
  ['ECONNREFUSED', coded('ECONNREFUSED'), ['Unavailable']],
  ['ENOENT', coded('ENOENT'), []],
  ['a number for a code', coded(23505), []],
  ['what pg says of a lost connection', new Error('Connection terminated unexpectedly'), ['Unavailable']],
  ['any other error', new Error('no'), []],
  ['what is no error', { errcode: 5, code: '23505' }, []],
])('%s', (_name, error, kinds) => {
  expect(kindsOf(error)).toEqual(kinds);
});

test('what means that the database can’t is named so, once, and everything else stays as it is', () => {
  const [lost, other] = [coded('ECONNRESET'), new Error('no')];
  const told = named(lost);
  expect(told).toBeInstanceOf(DatabaseUnavailable);
  expect(told).toMatchObject({ message: 'refused', cause: lost });
  expect([named(told), named(other)]).toEqual([told, other]);
});

test('too many open files and what the storage can’t are outages, too', () => {
  for (const error of [coded('EMFILE'), coded('ENFILE'), new StorageUnavailable('no'), sqlite(5)])
    expect(isOutage(error)).toBe(true);
  for (const error of [coded('ENOENT'), coded(24), new Error('no'), 'EMFILE', null])
    expect(isOutage(error)).toBe(false);
});

describe('a database that can’t be opened is told with what to do', () => {
  const onDisk = { DATA_DIR: '/d', DATABASE_URL: undefined };
  test.each<[unknown, RegExp | null]>([
    [sqlite(3), /must be allowed to read and write it/],
    [sqlite(8), /the disk must not be read-only/],
    [sqlite(1032), /the disk must not be read-only/],
    [coded('EROFS'), /the disk must not be read-only/],
    [sqlite(10), /look at the disk/],
    [sqlite(11), /It is damaged/],
    [sqlite(13), /The disk is full/],
    [coded('ENOSPC'), /The disk is full/],
    [sqlite(14), /must be a file/],
    [sqlite(26), /no SQLite database/],
    [sqlite(1), null],
    [new Error('no'), null],
  ])('%o', (error, words) => {
    const told = databaseInWords(onDisk, error);
    if (words === null) expect(told).toBe(error);
    else expect((told as Error).message).toMatch(words);
    if (words !== null) expect((told as Error).message).toContain('/d/sorpresa.db');
  });

  const far = { DATA_DIR: '/d', DATABASE_URL: 'postgres://u:segreto@a:5432/sera' };
  test.each<[string, RegExp | null]>([
    ['28P01', /Correct DATABASE_URL, or make the user/],
    ['3D000', /Correct DATABASE_URL, or make the user/],
    ['57P03', /Start it, or correct DATABASE_URL/],
    ['ECONNREFUSED', /Start it, or correct DATABASE_URL/],
    ['42P01', null],
    ['', null],
  ])('%s', (code, words) => {
    const error = coded(code);
    const told = databaseInWords(far, error);
    if (words === null) return expect(told).toBe(error);
    expect((told as Error).message).toMatch(words);
    expect((told as Error).message).toContain('The database a:5432/sera of DATABASE_URL');
    return expect((told as Error).message).not.toContain('segreto');
  });

  test('an upgrade that failed has its own words', () => {
    const failed = Object.assign(new UpgradeFailed('so'), { errcode: 13 });
    expect(databaseInWords(onDisk, failed)).toBe(failed);
  });
});
