import { Draggable } from '@hello-pangea/dnd';
import { PhraseEditor } from './phrase-editor.tsx';
import { PhraseRow } from './phrase-row.tsx';
import styles from './sortable-list.module.css';

type SortableItemProps = {
  name: string;
  text: string;
  place: { index: number; total: number };
  unsaved: boolean;
  /** What is written in its place, while it is rewritten. */
  written: string | undefined;
  onMove: (to: number) => void;
  onEdit: () => void;
  /** While it is rewritten. */
  onWritten: (text: string) => void;
  /** The new text, or null when it stays as it was. */
  onEdited: (text: string | null) => void;
  onRemove: () => void;
};

/** One phrase: to be read and moved, or being rewritten. */
export function SortableItem({ name, written, onWritten, onEdited, ...row }: SortableItemProps) {
  return (
    <Draggable draggableId={name} index={row.place.index} isDragDisabled={written !== undefined}>
      {({ innerRef, draggableProps, dragHandleProps }, { isDragging }) => (
        <li ref={innerRef} {...draggableProps} className={styles.item} data-dragging={isDragging}>
          {written !== undefined ? (
            <PhraseEditor
              text={written}
              onChange={onWritten}
              onConfirm={onEdited}
              onCancel={() => onEdited(null)}
            />
          ) : (
            <PhraseRow {...row} handle={dragHandleProps} />
          )}
        </li>
      )}
    </Draggable>
  );
}
