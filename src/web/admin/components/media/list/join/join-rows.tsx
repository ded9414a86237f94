import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { joinTexts as texts } from '../../../../../../texts/admin/tickets.ts';
import { RowAction } from '../../../row-action.tsx';
import type { JoinChoice } from './join-choice.ts';
import styles from './join-rows.module.css';

/** The tickets with checkboxes, sortable by touch and keyboard. */
export function JoinRows({ choice }: { choice: JoinChoice }) {
  const { shown, isChosen, choose, move } = choice;
  return (
    <ol className={styles.list} aria-label={texts.list}>
      {shown.map((item, index) => (
        <li key={item.id} className={styles.row}>
          <Checkbox
            className={styles.name}
            label={item.nome}
            checked={isChosen(item)}
            onChange={(event) => choose(item, event.currentTarget.checked)}
          />
          <RowAction label={texts.up(item.nome)} off={index === 0} onClick={() => move(index, index - 1)}>
            <IconArrowUp size={18} aria-hidden />
          </RowAction>
          <RowAction
            label={texts.down(item.nome)}
            off={index === shown.length - 1}
            onClick={() => move(index, index + 1)}
          >
            <IconArrowDown size={18} aria-hidden />
          </RowAction>
        </li>
      ))}
    </ol>
  );
}
