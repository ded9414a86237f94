import type { Stage } from '../../domain/itinerary.ts';
import type { VisitActor } from '../../experience/visit-machine.ts';
import { experienceTexts as texts } from '../../texts/experience.ts';
import { TicketsAddress } from '../visitor/experience/tickets-address.ts';
import { EveningAt, type EveningPosition, visitAt } from './evening.tsx';
import { changed, oneTrip, TICKETS, twoTrips } from './sample.ts';
import type { Scene } from './scenes.tsx';

const at = (stage: Stage, viaggio: 1 | 2 = 1, content = twoTrips): EveningPosition => ({
  content,
  at: { stage, viaggio },
});
const LAST = (twoTrips.config.frasi.length || 1) - 1;
const YES = { risposta_1: true, risposta_2: true };
const NO = { risposta_1: false, risposta_2: false };
const MIXED = { risposta_1: true, risposta_2: false };

const LONG = 'Le parole lunghe devono stare in uno schermo piccolo, e restare leggibili fino in fondo. ';
const wordy = changed({
  frasi_pre_video: ['Sì.', LONG, LONG.repeat(4)],
  titolo_destinazione: 'Una città che si chiama con moltissime parole, tutte quante necessarie',
  titolo_viaggio: 'Cinque notti, noi due, e nessun posto dove dobbiamo arrivare in tempo',
  data_partenza: 'Domenica 12 settembre 2027, con il primo volo della mattina',
  testo_istruzioni_biglietti: LONG.repeat(3),
});
const oneDay = changed({
  recipient_name: null,
  data_partenza: '15 Dicembre 2027',
  data_ritorno: '15 dicembre 2027',
});
const bare = changed({
  immagine_destinazione_url: null,
  biglietti_url: null,
  titolo_destinazione: null,
  titolo_viaggio: null,
  data_partenza: null,
  data_ritorno: null,
  testo_istruzioni_biglietti: null,
});

const neverEnds = () => new Promise<never>(() => {});
const noNetwork = async () => ({ ok: false, code: 'NETWORK' }) as const;

/** Screens before the first stage and between two stages. */
const between: Scene[] = [
  { name: 'loading', draw: () => <EveningAt place={at('video')} calls={{ resume: neverEnds }} /> },
  { name: 'no network', draw: () => <EveningAt place={at('video')} calls={{ resume: noNetwork }} /> },
  {
    name: 'the next stage is waited for',
    draw: () => (
      <EveningAt
        place={at('card')}
        calls={{ resume: resumeWithoutNextStage }}
        act={(actor) => actor.send({ type: 'SKIP' })}
      />
    ),
  },
];

async function resumeWithoutNextStage() {
  const visit = visitAt(at('card'));
  return { ok: true, value: { ...visit, stages: visit.stages.slice(0, visit.position.step + 1) } } as const;
}

const phrases: Scene[] = [
  stage('phrases before the film', at('pre_phrases')),
  stage('a short phrase', at('pre_phrases', 1, wordy)),
  stage('a longer phrase', { ...at('pre_phrases', 1, wordy), phrase: 1 }),
  stage('the longest phrase', { ...at('pre_phrases', 1, wordy), phrase: 2 }),
  stage('phrases after the film', at('phrases')),
  stage('phrases between the trips', { ...at('between_phrases', 2), answers: [[1, YES]] }),
  stage('phrases of the second trip', { ...at('phrases', 2), answers: [[1, YES]] }),
];

const trips: Scene[] = [
  stage('destination', at('destination')),
  stage('destination, long titles', at('destination', 1, wordy)),
  stage('destination of the second trip', { ...at('destination', 2), answers: [[1, YES]] }),
  stage('card', at('card')),
  stage('card, long words', at('card', 1, wordy)),
  stage('card without a word, a picture before it, or tickets', at('card', 1, bare)),
  stage('card for one day', at('card', 1, oneDay)),
  {
    name: 'card, torn',
    draw: () => <EveningAt place={at('card')} act={(actor) => actor.send({ type: 'DOWNLOAD' })} />,
  },
  {
    name: 'card, its tickets looked at',
    draw: () => (
      <EveningAt
        place={at('card')}
        act={(actor) => {
          actor.send({ type: 'VIEW' });
          actor.send({ type: 'VIEW_CLOSED' });
        }}
      />
    ),
  },
  stage('card of the second trip', { ...at('card', 2), answers: [[1, YES]] }),
  {
    name: 'tickets, not drawn yet',
    draw: () => <WithTickets place={at('card', 1, { ...twoTrips, ticket_pages: null })} press={texts.view} />,
  },
  {
    name: 'tickets',
    draw: () => <WithTickets place={{ ...at('card', 2), answers: [[1, YES]] }} press={texts.view} />,
  },
  {
    name: 'tickets of both trips',
    draw: () => (
      <WithTickets
        place={{
          ...at('closing', 2),
          answers: [
            [1, YES],
            [2, NO],
          ],
        }}
        press={texts.tickets}
      />
    ),
  },
];

const questions: Scene[] = [
  stage('questions', at('questions')),
  {
    name: 'one answered',
    draw: () => (
      <EveningAt
        place={at('questions')}
        act={(actor) => actor.send({ type: 'ANSWER', question: 1, value: true })}
      />
    ),
  },
  stage('the second question', { ...at('questions'), chosen: { risposta_1: true } }),
  stage(
    'a question of many words',
    at('questions', 1, { ...wordy, questions: { ...wordy.questions, domanda_1: LONG.repeat(4) } }),
  ),
  stage('she is thanked', { ...at('questions'), answers: [[1, MIXED]] }),
  stage('she is thanked for both', { ...at('questions'), answers: [[1, YES]] }),
  { name: 'the answers are sent', draw: () => <Answered sendAnswers={neverEnds} /> },
  { name: 'the answers can’t be sent', draw: () => <Answered sendAnswers={noNetwork} /> },
  stage('questions of the second trip', { ...at('questions', 2), answers: [[1, YES]] }),
];

const closings: Scene[] = [
  stage('closing, both yes', { ...at('closing', 1, oneTrip), answers: [[1, YES]] }),
  stage('closing, both no', { ...at('closing', 1, oneTrip), answers: [[1, NO]] }),
  stage('closing, one of each', { ...at('closing', 1, oneTrip), answers: [[1, MIXED]] }),
  stage('closing, long words', {
    ...at(
      'closing',
      1,
      changed({ frasi_finali: { entrambi_si: LONG.repeat(3), entrambi_no: '', misto: '' } }, oneTrip),
    ),
    answers: [[1, YES]],
  }),
  stage('closing without words', {
    ...at('closing', 1, changed({ frasi_finali: null }, oneTrip)),
    answers: [[1, YES]],
  }),
  stage('closing of the second trip', {
    ...at('closing', 2),
    answers: [
      [1, YES],
      [2, NO],
    ],
  }),
];

/** Transitions between two scenes, started after the first has been visible for a while. */
const passages: Scene[] = [
  passage('from the last phrase to the picture', { ...at('phrases'), phrase: LAST }, 'NEXT_PHRASE'),
  passage('from the picture to the card', at('destination'), 'SKIP'),
  passage('from the card to the questions', at('card'), 'SKIP'),
];

export const eveningScenes = [...between, ...phrases, ...trips, ...questions, ...closings, ...passages];

function stage(name: string, place: EveningPosition): Scene {
  return { name, draw: () => <EveningAt place={place} /> };
}

function passage(name: string, place: EveningPosition, type: 'NEXT_PHRASE' | 'SKIP'): Scene {
  const act = (actor: VisitActor) => setTimeout(() => actor.send({ type }), 2_500);
  return { name, draw: () => <EveningAt place={place} act={act} /> };
}

function Answered({ sendAnswers }: { sendAnswers: typeof neverEnds | typeof noNetwork }) {
  return (
    <EveningAt
      place={at('questions')}
      calls={{ sendAnswers }}
      act={(actor) => {
        actor.send({ type: 'ANSWER', question: 1, value: true });
        actor.send({ type: 'ANSWER', question: 2, value: false });
      }}
    />
  );
}

/** Shows the tickets, opened by their button. */
function WithTickets({ place, press }: { place: EveningPosition; press: string }) {
  return (
    <TicketsAddress value={(viaggio) => TICKETS[viaggio]}>
      <EveningAt place={place} act={() => pressButton(press)} />
    </TicketsAddress>
  );
}

/** Presses a button once it is rendered. */
function pressButton(words: string): void {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === words);
  if (button === undefined) requestAnimationFrame(() => pressButton(words));
  else button.click();
}
