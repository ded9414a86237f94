import { useState, useSyncExternalStore } from 'react';
import { isHandwritten } from '../../../domain/hand.ts';
import { addressee } from './addressee.ts';
import styles from './broken-seal.module.css';

// While she types.
document.fonts?.load('1em Hand').catch(() => {});

/**
 * The wax breaks, the flap lifts, and the sheet comes out of its lining with her name on it. Drawn over the sealed letter, in its measures.
 * The name is written once the flap is up and the evening, which is drawn behind all this, has told it.
 */
export function BrokenSeal() {
  const name = useSyncExternalStore(addressee.subscribe, addressee.state);
  const [isLifted, setIsLifted] = useState(false);
  return (
    <>
      <svg
        className={styles.lifted}
        viewBox="0 0 400 120"
        preserveAspectRatio="none"
        onAnimationEnd={() => setIsLifted(true)}
      >
        <use href="#flap" />
      </svg>
      <div className={styles.glow} />
      <div className={styles.pocket}>
        <div className={styles.sheet}>
          {isLifted && name !== null && (
            <p dir="auto" className={styles.name} data-hand={isHandwritten(name)}>
              <span>{name},</span>
            </p>
          )}
        </div>
      </div>
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
