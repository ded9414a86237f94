import styles from './captions.module.css';

/** What is said in the film, under everything that can be pressed. */
export function Captions({ text }: { text: string }) {
  return text === '' ? null : (
    <div className={styles.room}>
      <p dir="auto" className={styles.text} lang="it">
        {text}
      </p>
    </div>
  );
}
