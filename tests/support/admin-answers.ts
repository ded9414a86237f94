import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { AnswerRecord } from '../../src/contract/admin/config.ts';
import type { EventRecord, SessionRecord } from '../../src/contract/admin/logs.ts';
import type { MediaItem } from '../../src/contract/admin/media.ts';
import type { adminContract } from '../../src/contract/contract.ts';
import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts';
import type { TokenRecord } from '../../src/contract/model.ts';
import { errorSentence } from '../../src/texts/errors.ts';
import { FULL_CONFIGURATION, FULL_QUESTIONS, mediaUrl } from './evenings.ts';

/** Replies of a server with a complete evening to every reading call, with samples to change. */

type Router = typeof adminContract;
type Named<Group extends string, Of> = { [K in keyof Of & string as `${Group}.${K}`]: Of[K] };
type Flat<Of> = {
  [G in Extract<keyof Router, string>]: G extends keyof Of
    ? Router[G] extends { '~orpc': unknown }
      ? Record<G, Of[G]>
      : Named<G, Of[G]>
    : never;
};
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void
  ? All
  : never;
type All<Of> = Together<Flat<Of>[keyof Flat<Of>]>;

/** Output of every call by name (`tokens.list`). */
export type Outputs = All<InferContractRouterOutputs<Router>>;
export type Inputs = All<InferContractRouterInputs<Router>>;

type Reply = () => Promise<Response>;
type Given<In, Out> = Out | Reply | ((input: In) => Out | Reply);
export type Answers = { [K in keyof Outputs]?: Given<Inputs[K & keyof Inputs], Outputs[K]> } & {
  [call: `${string} /${string}`]: unknown;
};

/** Fails like a missing network. */
export const offline: Reply = async () => {
  throw new TypeError('Failed to fetch');
};
/** Replies with the error page of a proxy. */
export const unreadable: Reply = async () => new Response('<html>', { status: 502 });
/** Never replies. */
export const never: Reply = () => new Promise(() => {});
/** Replies with a refusal of the server. */
export const refused =
  (codice: ErrorCode): Reply =>
  async () =>
    Response.json({ codice, messaggio: sentence(codice) }, { status: ERROR_STATUS[codice] });
export const sentence = (codice: ErrorCode) => errorSentence(codice, { n: 40, id: '5f2c91' });

export const NOW = new Date('2026-06-10T18:00:00.000Z');
const LATER = '2026-07-10T18:00:00.000Z';

export const config = (changes: Partial<Outputs['config.read']> = {}): Outputs['config.read'] => ({
  ...FULL_CONFIGURATION,
  telegram_chat_id: '4711',
  telegram_bot_token_masked: '••••1234',
  smtp_host: null,
  smtp_port: 587,
  smtp_security: 'starttls',
  smtp_user: null,
  smtp_password_kept: false,
  email_from: null,
  email_to: null,
  contatto: '@marco',
  data_laurea: '2026-06-30',
  opens_at: null,
  keepsake_until: null,
  privacy_notice: null,
  footer_text: null,
  share_message: null,
  card_title: null,
  tries_kept_days: 90,
  versione: 7,
  ...changes,
});

export const code = (changes: Partial<TokenRecord> = {}): TokenRecord => ({
  id: '00000000-0000-4000-8000-000000000001',
  token: 'ROM-7KX2M9QD',
  nome: 'Giulia',
  max_accessi: 2,
  accessi_usati: 1,
  scadenza: LATER,
  attivo: true,
  created_by: null,
  created_at: NOW.toISOString(),
  ...changes,
});

export const visit = (changes: Partial<SessionRecord> = {}): SessionRecord => ({
  id: 'visita-1',
  token_value: 'ROM-7KX2M9QD',
  device_id: 'telefono-di-giulia-0001',
  user_agent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36',
  is_active: true,
  state: 'open',
  started_at: '2026-06-10T17:50:00.000Z',
  last_activity: '2026-06-10T17:59:48.000Z',
  disconnected_at: null,
  disconnection_reason: null,
  completed_at: null,
  exit_point: null,
  background: false,
  stages: [
    { stage: 'pre_phrases', viaggio: 1, frasi: 2 },
    { stage: 'video', viaggio: 1, frasi: null },
    { stage: 'phrases', viaggio: 1, frasi: 2 },
  ],
  position: { step: 1, phrase: 0, second: 84 },
  capabilities: ['full_screen', 'wake_lock'],
  ...changes,
});

export const event = (changes: Partial<EventRecord> = {}): EventRecord => ({
  id: 'evento-1',
  event_type: 'access_granted',
  token_value: 'ROM-7KX2M9QD',
  device_id: 'telefono-di-giulia-0001',
  user_agent: null,
  success: true,
  error_message: null,
  metadata: {},
  created_at: '2026-06-10T17:50:00.000Z',
  ...changes,
});

export const answer = (changes: Partial<AnswerRecord> = {}): AnswerRecord => ({
  id: 'risposta-1',
  session_id: 'visita-1',
  viaggio: 1,
  token_value: 'ROM-7KX2M9QD',
  domanda_1: 'Partiamo insieme?',
  domanda_2: 'Cena sul mare?',
  risposta_1: true,
  risposta_2: false,
  created_at: '2026-06-10T17:58:00.000Z',
  ...changes,
});

export const file = (changes: Partial<MediaItem> = {}): MediaItem => ({
  id: 'file-1',
  nome: 'mare.jpg',
  url: mediaUrl('c', 'jpg'),
  tipo: null,
  content_type: 'image/jpeg',
  size: 2 * 1024 ** 2,
  poster_url: null,
  fuoco: null,
  hues: null,
  captions: null,
  light: null,
  warnings: [],
  pages: null,
  attivo: true,
  created_at: '2026-06-01T10:00:00.000Z',
  ...changes,
});

type Work = Extract<Outputs['media.arrived'][number], { state: 'working' }>;
/** A file that the server is processing. */
export const work = (changes: Partial<Work> = {}): Work => ({
  upload: 'u1',
  slot: 'immagine',
  nome: 'foto.jpg',
  size: 9,
  state: 'working',
  waiting: false,
  progress: 0.42,
  secondsLeft: 40,
  ...changes,
});

export const film = (changes: Partial<MediaItem> = {}): MediaItem =>
  file({
    nome: 'film.mp4',
    url: mediaUrl('a', 'mp4'),
    content_type: 'video/mp4',
    size: 80 * 1024 ** 2,
    poster_url: mediaUrl('9', 'jpg'),
    ...changes,
  });

/** Registration is closed. */
const CLOSED: Outputs['registration'] = {
  registration_open: false,
  first: false,
  setup_code_required: false,
  restorable: false,
};
const QUIET = { in_attesa: 0, ultimo_errore: null, ultimo_invio: null };

/** Replies to every reading call. */
export const defaults = {
  registration: CLOSED,
  me: {
    email: 'marco@esempio.it',
    public_url: 'https://sorpresa.example',
    unnamed_proxy: null,
    max_video_bytes: 4 * 1024 ** 3,
  },
  dashboard: {
    token_totali: 3,
    token_attivi: 2,
    accessi_totali: 12_345,
    accessi_per_giorno: [
      { giorno: '2026-06-08', riusciti: 0, rifiutati: 0 },
      { giorno: '2026-06-09', riusciti: 2, rifiutati: 1 },
      { giorno: '2026-06-10', riusciti: 1, rifiutati: 0 },
    ],
    certificato: null,
  },
  'ready.read': {
    verdict: 'ready',
    reasons: [],
    prepared: [],
    asked_at: '2026-06-10T03:00:00.000Z',
    progress: null,
  },
  'address.read': {
    public_url: 'https://sorpresa.example',
    reach: 'public',
    https: true,
    served: 'own_https',
    port: 3000,
    open_to_network: false,
    hosts: ['192.168.1.5', '192.168.1.6'],
    version: '1.2.3',
    installed: 'release',
    windows: false,
    data_dir: null,
  },
  'config.read': config(),
  'questions.read': { ...FULL_QUESTIONS, versione: 3 },
  'answers.list': [],
  'answers.replies': [],
  'media.list': ({ slot }: Inputs['media.list']): MediaItem[] => {
    const tickets = { content_type: 'application/pdf', nome: 'biglietti.pdf' };
    const song = { content_type: 'audio/mpeg', nome: 'canzone.mp3', url: mediaUrl('b', 'mp3') };
    const files = {
      video: film(),
      canzone: file(song),
      immagine: file(),
      biglietti: file({ ...tickets, url: mediaUrl('e', 'pdf') }),
      immagine_2: file({ url: mediaUrl('d', 'jpg'), nome: 'neve.jpg' }),
      biglietti_2: file({ ...tickets, url: mediaUrl('f', 'png'), nome: 'ritorno.pdf' }),
    };
    return [files[slot]];
  },
  'sharing.read': {
    available: true,
    tunnel: 'cloudflare' as const,
    needs: 'nothing' as const,
    state: 'off' as const,
    address: null,
    keeps_address: false,
    lost_address: null,
    enable: null,
    trouble: null,
  },
  'media.arrived': [],
  'tokens.list': [code()],
  'bin.list': [],
  'sessions.list': { attive: [], terminate: [], conteggi: { attive: 0, terminate: 0 } },
  'logs.list': { eventi: [event()], totale: 1, solo_contati: 0 },
  'notifications.status': { telegram: QUIET, email: QUIET },
  'notifications.chats': { bot: 'sorpresa_bot', chat: [], problema: null },
  'rehearsal.openUntil': { scadenza: null },
  'diagnosis.list': { passes: [], phones: [] },
  'erase.look': {
    visits: 4,
    living: 0,
    answers: 2,
    replies: 1,
    codes: 3,
    events: 57,
    files: 5,
    bytes: 300 * 1024 ** 2,
    backups: 0,
  },
  'archive.look': { files: 5, bytes: 300 * 1024 ** 2, last_at: null },
  'planB.read': { hindrance: null, plan: null, making: false, waits: false, failed: null },
  'GET /api/auth/list-sessions': [],
  // Saving increments the version.
  'config.save': ({ versione }: Inputs['config.save']) => ({ versione: versione + 1, bin: [] as string[] }),
} satisfies { [call: `${string} /${string}`]: unknown } & {
  [K in keyof Outputs]?: Outputs[K] | ((input: Inputs[K & keyof Inputs]) => Outputs[K]);
};

/** A server that stores saved fields, and refuses a save based on an older version. */
export function storingServer(
  changes: Partial<Outputs['config.read']> = {},
  questions: Partial<Outputs['questions.read']> = {},
) {
  const stored = {
    config: config(changes) as { versione: number },
    questions: { ...defaults['questions.read'], ...questions } as { versione: number },
  };
  const save =
    (of: keyof typeof stored) =>
    ({ versione, fields }: { versione: number; fields: object }) => {
      if (versione !== stored[of].versione) return refused('STALE_VERSION');
      stored[of] = { ...stored[of], ...fields, versione: versione + 1 };
      return { ...stored[of], bin: [] as string[] };
    };
  return {
    get config() {
      return stored.config as Outputs['config.read'];
    },
    get questions() {
      return stored.questions as Outputs['questions.read'];
    },
    /** Saves in another tab or by another administrator. */
    elsewhere(of: keyof typeof stored, fields: object): void {
      stored[of] = { ...stored[of], ...fields, versione: stored[of].versione + 1 };
    },
    answers: {
      'config.read': () => stored.config,
      'questions.read': () => stored.questions,
      'config.save': save('config'),
      'questions.save': save('questions'),
    } as unknown as Answers,
  };
}
