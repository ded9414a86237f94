import { DRESSES, type Dress } from '../../../../domain/dresses.ts';
import { eveningPageTexts } from '../../../../texts/admin/evening.ts';
import styles from './dress-choice.module.css';

const texts = eveningPageTexts.dress;

/** The dresses side by side, each as a small letter below its own sky. */
export function DressChoice({ chosen, choose }: { chosen: Dress; choose: (dress: Dress) => void }) {
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{texts.label}</legend>
      {DRESSES.map((dress) => (
        <label key={dress} className={styles.dress}>
          <input
            type="radio"
            name="dress"
            className={styles.radio}
            checked={dress === chosen}
            onChange={() => choose(dress)}
          />
          <span className={styles.look} data-dress={dress} aria-hidden="true">
            <span className={styles.letter}>
              <span className={styles.wax} />
            </span>
            <span className={styles.words}>Aa</span>
            <span className={styles.gold} />
          </span>
          <span>{texts.names[dress]}</span>
        </label>
      ))}
    </fieldset>
  );
}
