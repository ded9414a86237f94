import styles from './notice.module.css';

type Props = {
  /** Null while there is nothing to say: the live region is there before its words, so that they are announced. */
  text: string | null;
  description?: string | null;
  /** It has the screen for itself, and stands in its middle. */
  alone?: boolean;
};

/** What is said in passing, in the film's own type: over the foot of any scene, in its night. It takes no touch. */
export function Notice({ text, description = null, alone = false }: Props) {
  return (
    <div className={styles.notice} data-alone={alone} role="status">
      {text !== null && (
        <div key={text} className={styles.words}>
          <p>{text}</p>
          {description !== null && <p className={styles.description}>{description}</p>}
        </div>
      )}
    </div>
  );
}
