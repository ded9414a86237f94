import { isBlank } from './blank.ts';
import {
  type Configuration,
  fieldsOf,
  PHRASE_LISTS,
  QUESTION_FIELDS,
  type Questions,
} from './configuration.ts';
import { eachOf } from './records.ts';

/** Placeholder of the recipient's name, in any spelling. Emphasis asterisks that contain only the placeholder belong to it. */
const PLACEHOLDER = /\*\{+\s*nome\s*\}+\*|\{+\s*nome\s*\}+/iu;
const PLACEHOLDERS = new RegExp(PLACEHOLDER.source, 'giu');
/** Start of a sentence, where the first letter becomes upper case. */
const SENTENCE_BEGINS = /(?:^|[\n.!?…])[\s«“"(*]*$/u;
/** After these characters a name belongs to the text that follows. */
const BEGINS = /(?:^|[\n.!?…:;«“"(*—–])$/u;
const COMMA = /,$/u;
const STOPS = /^(?:$|[\n,.;:!?…)»”"*])/u;
const LEADING_STOPS = /^[,;:.!?…]+[^\S\n]*/u;

/** Texts of the evening. */
type EveningTexts = { config: Configuration & Partial<Contact>; questions: Questions };
/** Contact named to a disconnected visitor; it may be a sentence with the recipient's name. */
type Contact = { contatto: string | null };
type HasRecipientName = Pick<Configuration, 'recipient_name'>;

/** Returns the recipient's name from «La serata», trimmed and without placeholders; null if there is none. */
export function recipientName({ recipient_name }: HasRecipientName): string | null {
  return nonBlank(removePlaceholders(recipient_name ?? ''));
}

/**
 * Replaces `{nome}` with the name. Without a name it removes the placeholder and the comma or space that would be left:
 * «{nome}, ti aspetto» becomes «Ti aspetto», «Ciao, {nome}!» «Ciao!». `{nome}` itself never stays.
 */
export function fillName(text: string, name: string | null): string {
  if (!PLACEHOLDER.test(text)) return text;
  if (name === null) return removePlaceholders(text);
  // Asterisks around the placeholder stay. A placeholder formed by a name and the text around it is removed.
  return removePlaceholders(text.replaceAll(PLACEHOLDERS, (place) => place.replace(/\{.*\}/su, () => name)));
}

/** Returns the evening with `{nome}` replaced in every text, or removed if there is no name. */
export function withRecipientName<S extends EveningTexts>(evening: S): S {
  const recipient_name = recipientName(evening.config);
  const { config, ...rewritten } = eachText(evening, (text) => fillName(text, recipient_name));
  return { ...evening, ...rewritten, config: { ...config, recipient_name } };
}

/** Returns true if texts use the recipient's name but none is set. They are then shown without it. */
export function needsName(evening: EveningTexts): boolean {
  const texts: string[] = [];
  eachText(evening, (text) => {
    texts.push(text);
    return text;
  });
  return recipientName(evening.config) === null && texts.some((text) => PLACEHOLDER.test(text));
}

/** Returns the contact as the visitor reads it; null if there is none, or only a placeholder. */
export function contactText(site: HasRecipientName & Contact): string | null {
  return nonBlank(fillName(site.contatto ?? '', recipientName(site)));
}

const nonBlank = (text: string) => (isBlank(text) ? null : text.trim());

/** Maps every text of an evening. */
function eachText({ config, questions }: EveningTexts, rewritten: (text: string) => string): EveningTexts {
  const rewriteOrNull = (text: string | null) => (text === null ? null : rewritten(text));
  const { frasi_finali, contatto } = config;
  return {
    config: {
      ...config,
      ...(contatto !== undefined && { contatto: rewriteOrNull(contatto) }),
      ...eachOf(fieldsOf('buttonText', 'date', 'title', 'instructions'), (field) =>
        rewriteOrNull(config[field]),
      ),
      ...eachOf(PHRASE_LISTS, (list) => config[list].map(rewritten)),
      frasi_finali:
        frasi_finali &&
        eachOf(['entrambi_si', 'entrambi_no', 'misto'], (kind) => rewritten(frasi_finali[kind])),
    },
    questions: { ...questions, ...eachOf(QUESTION_FIELDS, (field) => rewriteOrNull(questions[field])) },
  };
}

/** Removes all placeholders. Recursive, because a removal may join the parts of another one. */
function removePlaceholders(text: string): string {
  const place = PLACEHOLDER.exec(text);
  if (place === null) return text;
  return removePlaceholders(joined(text.slice(0, place.index), text.slice(place.index + place[0].length)));
}

function joined(before: string, after: string): string {
  const rewritten = before.replace(/[^\S\n]+$/u, '');
  const space = before.slice(rewritten.length);
  const rest = after.replace(/^[^\S\n]+/u, '');
  if (BEGINS.test(rewritten)) {
    const next = rest.replace(LEADING_STOPS, '');
    const begun = SENTENCE_BEGINS.test(rewritten)
      ? next.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
      : next;
    return begun === '' ? rewritten : rewritten + space + begun;
  }
  if (!STOPS.test(rest)) return `${rewritten} ${rest}`;
  return (COMMA.test(rewritten) ? rewritten.slice(0, -1) : rewritten) + rest;
}
