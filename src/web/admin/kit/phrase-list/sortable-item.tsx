import { Draggable } from '@hello-pangea/dnd';
import { PhraseEditor } from './phrase-editor.tsx';
import { PhraseRow } from './phrase-row.tsx';
import styles from './sortable-list.module.css';

type SortableItemProps = {
  name: string;
  text: string;
  place: { index: number; total: number };
  unsaved: boolean;
  editing: boolean;
  onMove: (to: number) => void;
  onEdit: () => void;
  /** While it is rewritten. */
  onWritten: (text: string) => void;
  /** The new text, or null when it stays as it was. */
  onEdited: (text: string | null) => void;
  onRemove: () => void;
};

/** One phrase: to be read and moved, or being rewritten. */
export function SortableItem({ name, editing, onWritten, onEdited, ...row }: SortableItemProps) {
  return (
    <Draggable draggableId={name} index={row.place.index} isDragDisabled={editing}>
      {({ innerRef, draggableProps, dragHandleProps }, { isDragging }) => (
        <li ref={innerRef} {...draggableProps} className={styles.item} data-dragging={isDragging}>
          {editing ? (
            <PhraseEditor
              text={row.text}
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
