import { Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useState } from 'react';
import { suggestionTexts as texts } from '../../../../texts/admin/suggestions.ts';
import styles from './suggestions.module.css';

type SuggestionsProps<T extends readonly string[]> = {
  /** The lines of each suggestion. */
  ideas: readonly T[];
  /** Opens the list initially, if nothing is typed. */
  open: boolean;
  disabled?: boolean;
  onTake: (idea: T) => void;
};

/** Text suggestions side by side; a tap inserts one as if it had been typed. */
export function Suggestions<T extends readonly string[]>({
  ideas,
  open,
  disabled,
  onTake,
}: SuggestionsProps<T>) {
  // Read once, so that a tap on a suggestion does not close the list.
  const [opens] = useState(open);
  return (
    <details className={styles.ideas} open={opens}>
      <summary>
        <IconBulb size={18} aria-hidden /> {texts.title}
      </summary>
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <ul className={styles.row}>
        {ideas.map((idea) => (
          <li key={idea.join()}>
            <button type="button" className={styles.idea} disabled={disabled} onClick={() => onTake(idea)}>
              {idea.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
