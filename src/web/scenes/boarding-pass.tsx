import { type ReactNode, useEffect, useRef } from 'react';
import { canHandwrite } from '../../domain/phrases.ts';
import { type Fuoco, toCssPosition } from '../../domain/pictures.ts';
import { experienceTexts as texts } from '../../texts/experience.ts';
import styles from './boarding-pass.module.css';
import words from './boarding-pass-words.module.css';
import '../ui/hand/hand.css';
import { Heart } from './heart.tsx';
import { Journey } from './journey.tsx';
import { coverAttributes } from './sized-picture.ts';

/** Titles from this length on have a smaller size. */
const LONG_TITLE = 36;

/** Loaded in addition to the required code; the pass works without it. */
const pointerEffects = import('./hand.ts').catch(() => null);

type Props = {
  immagine_destinazione_url: string | null;
  fuoco: Fuoco | null;
  titolo_destinazione: string;
  titolo_viaggio: string;
  data_partenza: string;
  data_ritorno: string;
  testo_istruzioni_biglietti: string;
  /** Recipient's name, or null if none is configured. */
  passenger: string | null;
  /** The stub is torn off. */
  isTorn?: boolean;
  /** Called when the stub is torn off by hand, inside that touch. */
  onTear?: () => void;
  /** Notice on the stub, in place of the instructions. */
  notice?: ReactNode;
  /** Content of the stub: ticket actions. */
  children: ReactNode;
};

/**
 * The trip card as a boarding pass: picture, titles, passenger, dates, and a perforated stub with the tickets, which can be torn off. A
 * foil sheen follows the phone's tilt or the pointer. Tearing and sheen are decoration: everything is readable and operable without them.
 */
export function BoardingPass({ isTorn = false, passenger, ...props }: Props) {
  return (
    <section className={styles.scene}>
      <article className={styles.pass} data-torn={isTorn}>
        <div className={styles.main}>
          <Header url={props.immagine_destinazione_url} fuoco={props.fuoco} />
          <Foil />
          <div className={words.area}>
            <p className={words.kind}>{texts.boardingPass}</p>
            <h1 dir="auto" className={words.trip} data-length={lengthOf(props.titolo_viaggio)}>
              {props.titolo_viaggio}
            </h1>
            <p dir="auto" className={words.destination}>
              {props.titolo_destinazione}
            </p>
            {passenger !== null && (
              <p className={words.passenger}>
                {texts.passenger}{' '}
                <bdi>
                  <strong data-hand={canHandwrite(passenger)}>{passenger}</strong>
                </bdi>
              </p>
            )}
            <Journey partenza={props.data_partenza} ritorno={props.data_ritorno} />
          </div>
        </div>
        <Stub onTear={props.onTear} notice={props.notice} instructions={props.testo_istruzioni_biglietti}>
          {props.children}
        </Stub>
      </article>
    </section>
  );
}

const lengthOf = (title: string) => (title.length > LONG_TITLE ? 'long' : 'short');

/** The destination's picture, or a piece of the night without one, half covered by a foil seal. */
function Header({ url, fuoco }: { url: string | null; fuoco: Fuoco | null }) {
  return (
    <div className={styles.header}>
      {url !== null && (
        <img
          className={styles.picture}
          style={{ '--focus': toCssPosition(fuoco) }}
          {...coverAttributes(url)}
          src={url}
          alt=""
          data-picture
        />
      )}
      <Heart className={styles.seal} />
    </div>
  );
}

function Foil() {
  const sheen = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    void pointerEffects.then((it) => sheen.current && it?.enableSheen(sheen.current, stop.signal));
    return () => stop.abort();
  }, []);
  return (
    <div className={styles.foil} aria-hidden="true">
      <span ref={sheen} className={styles.sheen} />
    </div>
  );
}

type StubProps = Pick<Props, 'notice' | 'children'> & {
  onTear: (() => void) | undefined;
  instructions: string;
};

function Stub({ onTear, notice, instructions, children }: StubProps) {
  const stub = useRef<HTMLElement>(null);
  const canTear = onTear !== undefined;
  const ps = /^P\.\s?S\.?/.exec(instructions)?.[0] ?? '';
  const tear = useRef(onTear);
  useEffect(() => {
    tear.current = onTear;
  });
  useEffect(() => {
    if (!canTear) return;
    const stop = new AbortController();
    void pointerEffects.then(
      (it) => stub.current && it?.enablePull(stub.current, stop.signal, () => tear.current?.()),
    );
    return () => stop.abort();
  }, [canTear]);
  return (
    <footer ref={stub} className={styles.stub} data-tears={canTear}>
      {children}
      <div className={styles.below}>
        <p dir="auto" className={styles.instructions}>
          {ps !== '' && <span>{ps}</span>}
          {instructions.slice(ps.length)}
        </p>
        {notice}
      </div>
    </footer>
  );
}
