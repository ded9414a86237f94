import { z } from 'zod';
import { PHRASE_LISTS } from '../domain/content.ts';
import { IMAGE_SECONDS, MAX_LENGTH, PHRASE_SECONDS, PLAYBACK_RATES } from '../domain/limits.ts';
import { MEDIA_ADDRESS } from '../domain/media-address.ts';

/** Timestamps are ISO 8601 in UTC everywhere: in the database, on the wire and in the code. */
const timestamp = z.string();
const phrase = z.string().max(MAX_LENGTH.phrase);
const phraseList = z.array(phrase).max(MAX_LENGTH.phrases);
const mediaUrl = z.string().max(300).nullable();
const title = z.string().max(MAX_LENGTH.title).nullable();
const date = z.string().max(MAX_LENGTH.date).nullable();
const instructions = z.string().max(MAX_LENGTH.instructions).nullable();
const question = z.string().max(MAX_LENGTH.question).nullable();

/** The version a save names. It has 32 bits in the database: a larger number was never read there. */
export const versioneSchema = z.int32().min(0);

export const frasiFinaliSchema = z.strictObject({ entrambi_si: phrase, entrambi_no: phrase, misto: phrase });

/** The fields of `admin_config` that make the evening (spec 3). The form, the wire and the row share this shape. */
export const configurationSchema = z.strictObject({
  video_url: mediaUrl,
  video_playback_rate: z.literal([...PLAYBACK_RATES]),
  video_button_text: z.string().max(MAX_LENGTH.buttonText).nullable(),
  frasi_pre_video: phraseList,
  frasi: phraseList,
  frasi_finali: frasiFinaliSchema.nullable(),
  frasi_tra_viaggi: phraseList,
  frasi_secondo_viaggio: phraseList,
  frasi_finali_secondo_viaggio: phraseList,
  durata_frase_secondi: z.number(),
  frasi_secondi_esatti: z.array(z.enum(PHRASE_LISTS)).max(PHRASE_LISTS.length),
  canzone_url: mediaUrl,
  immagine_destinazione_url: mediaUrl,
  immagine_destinazione_url_2: mediaUrl,
  biglietti_url: mediaUrl,
  biglietti_url_2: mediaUrl,
  data_partenza: date,
  data_ritorno: date,
  data_partenza_2: date,
  data_ritorno_2: date,
  titolo_destinazione: title,
  titolo_destinazione_2: title,
  titolo_viaggio: title,
  titolo_viaggio_2: title,
  durata_immagine_destinazione_secondi: z.number(),
  testo_istruzioni_biglietti: instructions,
  testo_istruzioni_biglietti_2: instructions,
});

/** Only our own files may be pointed to: what is saved becomes a link on the pages. */
const ownFile = z.string().regex(MEDIA_ADDRESS).nullable();

const secondsWithin = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);

/** The same fields as they may be saved. */
export const savedConfigurationSchema = z.strictObject({
  ...configurationSchema.shape,
  durata_frase_secondi: secondsWithin(PHRASE_SECONDS),
  durata_immagine_destinazione_secondi: secondsWithin(IMAGE_SECONDS),
  video_url: ownFile,
  canzone_url: ownFile,
  immagine_destinazione_url: ownFile,
  immagine_destinazione_url_2: ownFile,
  biglietti_url: ownFile,
  biglietti_url_2: ownFile,
});

/** What the administrator may change besides the evening's content. The bot token is written and never read back. */
export const siteSettingsSchema = z.strictObject({
  telegram_bot_token: z
    .string()
    .regex(/^\d{6,12}:[A-Za-z0-9_-]{30,64}$/)
    .nullable(),
  telegram_chat_id: z
    .string()
    .regex(/^(-?\d{1,20}|@\w{5,32})$/)
    .nullable(),
  contatto: z.string().max(MAX_LENGTH.contact).nullable(),
  data_laurea: z.iso.date().nullable(),
});

export const questionsSchema = z.strictObject({
  domanda_1: question,
  domanda_2: question,
  domanda_1_viaggio_2: question,
  domanda_2_viaggio_2: question,
});

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
