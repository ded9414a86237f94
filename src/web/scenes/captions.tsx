import styles from './captions.module.css';

/** Shows the current captions below all buttons. */
export function Captions({ text }: { text: string }) {
  return text === '' ? null : (
    <div className={styles.room}>
      <p dir="auto" className={styles.text} lang="it">
        {text}
      </p>
    </div>
  );
}
