import { z } from 'zod';
import { EMAIL_LIMITS, SMTP_SECURITIES } from '../domain/channels.ts';
import { DRESSES, eachField, fillRecord, PHRASE_LISTS, QUESTION_FIELDS } from '../domain/configuration.ts';
import { TRIPS } from '../domain/content.ts';
import {
  IMAGE_SECONDS,
  LONGEST_FILM_SECONDS,
  MAX_LENGTH,
  PHRASE_SECONDS,
  PLAYBACK_RATES,
  REFUSED_ENTRY_RETENTION_DAYS,
} from '../domain/limits.ts';
import { MEDIA_ADDRESS } from '../domain/media.ts';

/** ISO 8601 in UTC, as in the database, on the wire and in the code. */
const timestamp = z.string();
const phrase = z.string().max(MAX_LENGTH.phrase);
const line = z
  .string()
  .min(1)
  .regex(/^\P{C}+$/u);
const question = z.string().max(MAX_LENGTH.question).nullable();

/** Number of a trip. */
export const viaggioSchema = z.literal(TRIPS);

/** Version that a save names. The database column has 32 bits, so a larger number was never read. */
export const versioneSchema = z.int32().min(0);

export const frasiFinaliSchema = z.strictObject({ entrambi_si: phrase, entrambi_no: phrase, misto: phrase });
export type FrasiFinali = z.infer<typeof frasiFinaliSchema>;

/** Wire schema for each kind of field. */
const KINDS = {
  name: z.string().max(MAX_LENGTH.recipientName).nullable(),
  dress: z.enum(DRESSES),
  switch: z.boolean(),
  optionalSwitch: z.boolean().nullable(),
  file: z.string().max(300).nullable(),
  playbackRate: z.literal([...PLAYBACK_RATES]),
  buttonText: z.string().max(MAX_LENGTH.buttonText).nullable(),
  phrases: z.array(phrase).max(MAX_LENGTH.phrases),
  closing: frasiFinaliSchema.nullable(),
  phraseSeconds: z.number(),
  songStart: z.number(),
  exactLists: z.array(z.enum(PHRASE_LISTS)).max(PHRASE_LISTS.length),
  // Free text: «da definire», «metà giugno».
  date: z.string().max(MAX_LENGTH.date).nullable(),
  title: z.string().max(MAX_LENGTH.title).nullable(),
  imageSeconds: z.number(),
  instructions: z.string().max(MAX_LENGTH.instructions).nullable(),
};

/** Content of an evening. Form, wire and row share this shape. */
export const configurationSchema = z.strictObject(eachField(KINDS));
export type Configuration = z.infer<typeof configurationSchema>;

/** Accepts only our own files, because a saved address becomes a link on the pages. */
const ownFile = z.string().regex(MEDIA_ADDRESS).nullable();

const secondsWithin = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);

/** Configuration fields as they may be saved. */
export const savedConfigurationSchema = z.strictObject(
  eachField({
    ...KINDS,
    // The name always appears within a line.
    name: line.max(MAX_LENGTH.recipientName).nullable(),
    file: ownFile,
    phraseSeconds: secondsWithin(PHRASE_SECONDS),
    songStart: secondsWithin({ min: 0, max: LONGEST_FILM_SECONDS }),
    imageSeconds: secondsWithin(IMAGE_SECONDS),
  }),
);

/** Host name or IP address of a mail server. A name may end in a dot and needs none inside. */
const host = z.union([
  z
    .string()
    .regex(
      /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*\.?$/,
    ),
  z.ipv6(),
]);
/** Sent to the mail server as part of a line, so it contains no line break. */
const signIn = line.max(EMAIL_LIMITS.signIn);
const address = z.email().max(EMAIL_LIMITS.address);

/** Settings other than the evening's content. Bot token and password are write-only. */
export const siteSettingsSchema = z.strictObject({
  telegram_bot_token: z
    .string()
    .regex(/^\d{6,12}:[A-Za-z0-9_-]{30,64}$/)
    .nullable(),
  telegram_chat_id: z
    .string()
    .regex(/^(-?\d{1,20}|@\w{5,32})$/)
    .nullable(),
  /** Mail server; null if there is none. */
  smtp_host: host.nullable(),
  smtp_port: z.int().min(1).max(65_535),
  smtp_security: z.enum(SMTP_SECURITIES),
  smtp_user: signIn.nullable(),
  smtp_password: signIn.nullable(),
  email_from: address.nullable(),
  email_to: address.nullable(),
  /** Contact shown to a disconnected visitor (spec 8, {name}). */
  contatto: z.string().max(MAX_LENGTH.contact).nullable(),
  /** The site closes 48 hours after it. */
  data_laurea: z.iso.date().nullable(),
  /** Timestamp in UTC; no code is accepted before it (decision 004). */
  opens_at: z.iso.datetime().nullable(),
  /** Last day of the keepsake; null if there is none. */
  keepsake_until: z.iso.date().nullable(),
  /** «Informativa» on the access screen, plain text; null if there is none. */
  privacy_notice: z.string().max(MAX_LENGTH.privacyNotice).nullable(),
  /** Footer of the access screen; null for the specification's sentence, empty for none. */
  footer_text: z.string().max(MAX_LENGTH.footer).nullable(),
  /** Message with a code; null for the product's text. Placeholders: `{nome}`, `{codice}`, `{indirizzo}`. */
  share_message: z.string().max(MAX_LENGTH.shareMessage).nullable(),
  /** Title of the card with a code; null for the product's text. Placeholder: `{nome}`. */
  card_title: z.string().max(MAX_LENGTH.cardTitle).nullable(),
  /** Retention of refused attempts in the logs, in days. */
  tries_kept_days: z.int().min(REFUSED_ENTRY_RETENTION_DAYS.min).max(REFUSED_ENTRY_RETENTION_DAYS.max),
});
export type SiteSettings = z.infer<typeof siteSettingsSchema>;

export const questionsSchema = z.strictObject(fillRecord(QUESTION_FIELDS, question));
export type Questions = z.infer<typeof questionsSchema>;

const share = z.number().min(0).max(1);
/** A point of a picture, as shares of its width from the left and of its height from the top. */
export const fuocoSchema = z.strictObject({ x: share, y: share });
export type Fuoco = z.infer<typeof fuocoSchema>;

export const colourSchema = z.string().regex(/^#[0-9a-f]{6}$/);
/** One or two hues of a picture, none if it is grey; null until computed. */
export const drawnHuesSchema = z.array(colourSchema).max(2).nullable();

/** Captions of a film for a visit: WebVTT at an address of ours. */
export const captionsSchema = z.strictObject({ url: z.string(), always: z.boolean() });
export type Captions = z.infer<typeof captionsSchema>;

/** Whole content of an evening: stored with a visit when it begins, so that later edits don't affect it, and sent to the rehearsal. */
export const snapshotSchema = z.strictObject({
  config: configurationSchema,
  questions: questionsSchema,
  poster_url: z.string().nullable(),
  light_url: z.string().nullable(),
  /** Captions of the film; null if there are none or they are disabled. */
  captions: captionsSchema.nullable(),
  /** Bits per second of the film; null if unknown. */
  video_bitrate: z.number().nullable(),
  /** Point of each trip's picture that must stay visible; null for its centre. */
  fuoco: fuocoSchema.nullable(),
  fuoco_2: fuocoSchema.nullable(),
  /** Hues of each trip's picture (`skyHues`). */
  hues: drawnHuesSchema,
  hues_2: drawnHuesSchema,
  /** Addresses of each trip's ticket pages as pictures; null without tickets, or until they are rendered. */
  ticket_pages: z.array(z.string()).nullable(),
  ticket_pages_2: z.array(z.string()).nullable(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

export const tokenSchema = z.strictObject({
  id: z.string(),
  token: z.string(),
  nome: z.string(),
  max_accessi: z.int(),
  accessi_usati: z.int(),
  scadenza: timestamp.nullable(),
  attivo: z.boolean(),
  created_by: z.string().nullable(),
  created_at: timestamp,
});
export type TokenRecord = z.infer<typeof tokenSchema>;

const viaggio = viaggioSchema;
/** `secondi_esatti`: each phrase stays exactly this time; otherwise at least this time and its reading time. */
const phrases = { frasi: z.array(z.string()), durata_frase_secondi: z.number(), secondi_esatti: z.boolean() };

/** Two colours of the sky: at the top, and of the light that rises from below. */
const huesSchema = z.strictObject({ high: colourSchema, low: colourSchema });
export type Hues = z.infer<typeof huesSchema>;

/** Content of a stage: everything it needs, and nothing of any other stage. */
export const stageContentSchema = z.union([
  z.strictObject({ stage: z.literal('pre_phrases'), viaggio: z.literal(1), ...phrases }),
  z.strictObject({
    stage: z.literal('video'),
    viaggio: z.literal(1),
    video_url: z.string(),
    poster_url: z.string().nullable(),
    /** Light version of the film for a slow connection, if there is one. */
    light_url: z.string().nullable(),
    captions: captionsSchema.nullable(),
    /** Bits per second of the full film; null if unknown. */
    video_bitrate: z.number().nullable(),
    video_playback_rate: z.number(),
    video_button_text: z.string(),
  }),
  z.strictObject({ stage: z.literal('between_phrases'), viaggio: z.literal(2), ...phrases }),
  z.strictObject({ stage: z.literal('phrases'), viaggio, ...phrases }),
  z.strictObject({
    stage: z.literal('destination'),
    viaggio,
    immagine_destinazione_url: z.string(),
    fuoco: fuocoSchema.nullable(),
    /** Sky colours from the picture, used until this trip ends; null for the dress's own. */
    hues: huesSchema.nullable(),
    titolo_destinazione: z.string(),
    titolo_viaggio: z.string(),
    durata_immagine_destinazione_secondi: z.number(),
  }),
  z.strictObject({
    stage: z.literal('card'),
    viaggio,
    /** Picture of the destination stage; null if the trip has none. */
    immagine_destinazione_url: z.string().nullable(),
    fuoco: fuocoSchema.nullable(),
    titolo_destinazione: z.string(),
    titolo_viaggio: z.string(),
    data_partenza: z.string(),
    data_ritorno: z.string(),
    biglietti_url: z.string().nullable(),
    /** Pages of the tickets as pictures, in order; null until they are rendered. */
    ticket_pages: z.array(z.string()).nullable(),
    testo_istruzioni_biglietti: z.string(),
  }),
  z.strictObject({ stage: z.literal('questions'), viaggio, domanda_1: z.string(), domanda_2: z.string() }),
  z.strictObject({
    stage: z.literal('closing'),
    viaggio: z.literal(1),
    frase: z.string().nullable(),
    answered: z.boolean(),
  }),
  z.strictObject({ stage: z.literal('closing'), viaggio: z.literal(2), ...phrases }),
]);
export type StageContent = z.infer<typeof stageContentSchema>;
