import { isBlank } from './blank.ts';
import {
  type Configuration,
  fieldsOf,
  PHRASE_LISTS,
  QUESTION_FIELDS,
  type Questions,
} from './configuration.ts';
import { eachOf } from './records.ts';

/** Where her name goes in a text, however it was typed; alone between the asterisks that make it golden these belong to it. */
const PLACE = /\*\{+\s*nome\s*\}+\*|\{+\s*nome\s*\}+/iu;
const PLACES = new RegExp(PLACE.source, 'giu');
/** Nothing was said yet: the first letter is large. */
const SENTENCE_BEGINS = /(?:^|[\n.!?…])[\s«“"(*]*$/u;
/** After these a name is no part of what was said before. */
const BEGINS = /(?:^|[\n.!?…:;«“"(*—–])$/u;
const COMMA = /,$/u;
const STOPS = /^(?:$|[\n,.;:!?…)»”"*])/u;
const LEADING_STOPS = /^[,;:.!?…]+[^\S\n]*/u;

/** What is said of the evening in words. */
type EveningTexts = { config: Configuration & Partial<Contact>; questions: Questions };
/** Whom she is told to write to when she is disconnected: it may be a sentence with her name, too. */
type Contact = { contatto: string | null };
type HasRecipientName = Pick<Configuration, 'recipient_name'>;

/** Her name as it is written on «La serata», on one line and without spaces around it; null where there is none. */
export function recipientName({ recipient_name }: HasRecipientName): string | null {
  return wordsOf(without(recipient_name ?? ''));
}

/**
 * A text with her name in place of `{nome}`. Without a name the place goes, with the comma or the space that would be left alone:
 * «{nome}, ti aspetto» becomes «Ti aspetto», «Ciao, {nome}!» «Ciao!». `{nome}` itself never stays.
 */
export function fillName(text: string, name: string | null): string {
  if (!PLACE.test(text)) return text;
  if (name === null) return without(text);
  // Its asterisks stay around it. What a name and the text around it make together is no place.
  return without(text.replaceAll(PLACES, (place) => place.replace(/\{.*\}/su, () => name)));
}

/** An evening as it is read: every text of it with her name in place of `{nome}`, or without. */
export function withRecipientName<S extends EveningTexts>(evening: S): S {
  const recipient_name = recipientName(evening.config);
  const { config, ...said } = eachText(evening, (text) => fillName(text, recipient_name));
  return { ...evening, ...said, config: { ...config, recipient_name } };
}

/** Do texts of the evening ask for her name, while there is none? They are read without it. */
export function needsName(evening: EveningTexts): boolean {
  const texts: string[] = [];
  eachText(evening, (text) => {
    texts.push(text);
    return text;
  });
  return recipientName(evening.config) === null && texts.some((text) => PLACE.test(text));
}

/** The contact as she reads it; null where there is none, or nothing but a place for a name. */
export function contactText(site: HasRecipientName & Contact): string | null {
  return wordsOf(fillName(site.contatto ?? '', recipientName(site)));
}

const wordsOf = (text: string) => (isBlank(text) ? null : text.trim());

/** An evening with something done to every text of it. */
function eachText({ config, questions }: EveningTexts, said: (text: string) => string): EveningTexts {
  const perhaps = (text: string | null) => (text === null ? null : said(text));
  const { frasi_finali, contatto } = config;
  return {
    config: {
      ...config,
      ...(contatto !== undefined && { contatto: perhaps(contatto) }),
      ...eachOf(fieldsOf('buttonText', 'date', 'title', 'instructions'), (field) => perhaps(config[field])),
      ...eachOf(PHRASE_LISTS, (list) => config[list].map(said)),
      frasi_finali:
        frasi_finali && eachOf(['entrambi_si', 'entrambi_no', 'misto'], (kind) => said(frasi_finali[kind])),
    },
    questions: { ...questions, ...eachOf(QUESTION_FIELDS, (field) => perhaps(questions[field])) },
  };
}

/** A text without any place for a name: taking one out may bring another together. */
function without(text: string): string {
  const place = PLACE.exec(text);
  if (place === null) return text;
  return without(joined(text.slice(0, place.index), text.slice(place.index + place[0].length)));
}

function joined(before: string, after: string): string {
  const said = before.replace(/[^\S\n]+$/u, '');
  const space = before.slice(said.length);
  const rest = after.replace(/^[^\S\n]+/u, '');
  if (BEGINS.test(said)) {
    const next = rest.replace(LEADING_STOPS, '');
    const begun = SENTENCE_BEGINS.test(said)
      ? next.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
      : next;
    return begun === '' ? said : said + space + begun;
  }
  if (!STOPS.test(rest)) return `${said} ${rest}`;
  return (COMMA.test(said) ? said.slice(0, -1) : said) + rest;
}
