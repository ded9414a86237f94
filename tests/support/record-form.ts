import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createElement } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { RecordFormOptions } from '../../src/web/admin/components/forms/form-options.ts';
import type * as Forms from '../../src/web/admin/components/forms/use-record-form.ts';
import type * as Failures from '../../src/web/api/failure.ts';
import { type AtWork, atWork } from './hooks.ts';

/** A form at work, in a test's file that imports this: its record, what was saved of it and what was said. */

type Row = { versione: number; titolo: string; nota: string; altro: string };
type Values = { titolo: string; nota: string };
type Form = ReturnType<typeof Forms.useRecordForm<Row, Values>>;

const TOAST = '../../src/web/ui/toaster/toast.ts';
const READ: Row = { versione: 1, titolo: 'Roma', nota: 'Bella', altro: 'x' };
export let there: Row;
export let saved: { versione: number; fields: Partial<Row> }[];
let fails: Failures.Failure | null;
let bin: string[];
export let said: string[];
export let kept: Map<string, string>;
export let view: EventTarget;
export let page: EventTarget & { visibilityState: string };
export let at: AtWork<Form>;
export let client: QueryClient;
export const focus = vi.fn();
export let Failure: typeof Failures.Failure;
let useRecordForm: typeof Forms.useRecordForm;

/** To be called once by each test's file: what comes before and after its tests. */
export function setTheForm(): void {
  beforeAll(async () => {
    vi.resetModules();
    const toast =
      (kind: string) =>
      (text: string, how: object = {}) =>
        void said.push(`${kind}${'action' in how ? ' with undo' : ''}: ${text}`);
    vi.doMock(TOAST, () => ({ toastError: toast('error'), toastSuccess: toast('success') }));
    ({ Failure } = await import('../../src/web/api/failure.ts'));
    ({ useRecordForm } = await import('../../src/web/admin/components/forms/use-record-form.ts'));
  });
  afterAll(() => {
    vi.doUnmock(TOAST);
    vi.resetModules();
  });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    focus.mockClear();
    [there, saved, fails, bin, said, kept] = [READ, [], null, [], [], new Map()];
    view = new EventTarget();
    page = Object.assign(new EventTarget(), { visibilityState: 'visible', querySelector: () => ({ focus }) });
    vi.stubGlobal('window', view);
    vi.stubGlobal('document', page);
    vi.stubGlobal('HTMLInputElement', EventTarget);
    vi.stubGlobal('location', { origin: 'https://sorpresa.example' });
    vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    });
  });
  afterEach(async () => {
    await at.leave();
    client.clear();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

export const KEY = ['row'];
const options: RecordFormOptions<Row, Values> = {
  name: 'viaggio',
  source: {
    query: { queryKey: KEY, queryFn: async () => there },
    read: async () => there,
    save: async (input) => {
      saved.push(input);
      if (fails !== null) throw fails;
      if (input.versione !== there.versione) throw new Failure('STALE_VERSION', 'Modificata altrove.');
      there = { ...there, ...input.fields, versione: there.versione + 1 };
      return { versione: there.versione, bin };
    },
  },
  toValues: ({ titolo, nota }) => ({ titolo, nota }),
  toFields: ({ titolo, nota }) => ({ titolo: titolo.trim(), nota: nota.trim() }),
  labels: { titolo: 'Titolo', nota: 'Nota' },
  validate: ({ titolo }) => (titolo.length > 10 ? { sentence: 'Troppo lungo.', fields: ['titolo'] } : null),
  blocked: ({ titolo }) => titolo.trim() === '',
  sentences: { saved: 'Salvato.', loadFailed: 'Non letto.', saveFailed: 'Non salvato.' },
};

export async function open(more: Partial<RecordFormOptions<Row, Values>> = {}): Promise<void> {
  client = new QueryClient({
    defaultOptions: { queries: { retry: false }, mutations: { retry: false, networkMode: 'always' } },
  });
  at = await atWork(
    () => {
      const { query } = options.source;
      const { data } = useQuery({ ...query, initialData: there, staleTime: Number.POSITIVE_INFINITY });
      return useRecordForm({ ...options, ...more }, data ?? there);
    },
    (component) => createElement(QueryClientProvider, { client }, component),
  );
}
export const form = () => at.now();
export const settle = () => at.does(() => new Promise((resolve) => setImmediate(resolve)));
export const write = (field: keyof Values, text: string) => at.does(() => form().input(field).onChange(text));
export const wait = async (ms: number) => {
  await at.does(() => vi.advanceTimersByTime(ms));
  await settle();
};
export const press = async () => {
  await at.does(() => form().save());
  await settle();
};
/** The record as it is now is read again. */
export const readAgain = async () => {
  await at.does(() => client.setQueryData(KEY, there));
  await wait(0);
};
/** Somebody else saves. */
export const others = (fields: Partial<Row>) => {
  there = { ...there, ...fields, versione: there.versione + 1 };
};

/** From now on nothing is saved, for this reason; null: all is well again. */
export const failWith = (failure: Failures.Failure | null) => {
  fails = failure;
};
/** What is saved from now on puts this into the bin. */
export const putIntoBin = (ids: string[]) => {
  bin = ids;
};
