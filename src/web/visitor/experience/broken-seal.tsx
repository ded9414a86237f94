import { canHandwrite } from '../../../domain/phrases.ts';
import { useLetter } from '../letter.ts';
import '../../ui/hand/hand.css';
import styles from './broken-seal.module.css';
import { nameIsWritten } from './opening.ts';

// Loads the font while the visitor types.
document.fonts?.load('1em Hand').catch(() => {});

/**
 * Breaks the wax, lifts the flap and pulls out the sheet, on which the recipient's name is written. Covers the sealed letter exactly.
 * Without a name the sheet shows the seal's heart.
 */
export function BrokenSeal() {
  const { name } = useLetter();
  return (
    <>
      <svg className={styles.lifted} viewBox="0 0 400 120" preserveAspectRatio="none">
        <use href="#flap" />
      </svg>
      <div className={styles.glow} />
      <div className={styles.pocket}>
        <div className={styles.sheet}>
          <div
            dir="auto"
            className={styles.written}
            data-hand={canHandwrite(name ?? '')}
            onAnimationEnd={nameIsWritten}
          >
            {name == null ? (
              <svg className={styles.sign} viewBox="30 30 40 40">
                <use href="#sign" />
              </svg>
            ) : (
              <span>{name},</span>
            )}
          </div>
        </div>
      </div>
      <div className={styles.grown} />
      <div className={styles.wax}>
        <Wax className={styles.left} />
        <Wax className={styles.right} />
        <svg className={styles.crack} viewBox="0 0 100 100">
          <path d="M50 2 44 20 55 35 43 51 54 66 45 81 51 98" />
        </svg>
      </div>
    </>
  );
}

/** One half of the wax. */
function Wax({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 100 100">
      <use href="#seal" />
    </svg>
  );
}
