import { type FormEvent, useEffect, useRef } from 'react';
import { accessTexts } from '../../../texts/access.ts';
import { takeTypedCode } from '../../reload.ts';
import { toastSuccess } from '../../ui/toaster/toast.ts';
import styles from './code-field.module.css';

type Props = { invalid: boolean; onEdit: () => void; onFocus: () => void };

/** The code field, in large capitals. Uncontrolled: text typed before hydration stays, and the conversion to capitals keeps the caret. */
export function CodeField({ invalid, onEdit, onFocus }: Props) {
  const composing = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  // Restores the code typed before a reload.
  useEffect(() => {
    if (!field.current) return;
    const code = takeTypedCode();
    if (code !== null) {
      field.current.value ||= code;
      toastSuccess(accessTexts.reloaded);
    }
    toUpperCase(field.current);
  }, []);
  const edited = (event: FormEvent<HTMLInputElement>) => {
    if (!composing.current) toUpperCase(event.currentTarget);
    onEdit();
  };
  return (
    <div className={styles.field}>
      <label className={styles.prompt} htmlFor="codice">
        {accessTexts.prompt}
      </label>
      <input
        ref={field}
        id="codice"
        className={styles.code}
        type="text"
        placeholder={accessTexts.placeholder}
        autoCapitalize="characters"
        autoCorrect="off"
        autoComplete="one-time-code"
        spellCheck={false}
        inputMode="text"
        enterKeyHint="go"
        // Accepts a pasted message that contains the code.
        maxLength={2_000}
        aria-invalid={invalid}
        onInput={edited}
        onFocus={onFocus}
        onCompositionStart={() => {
          composing.current = true;
        }}
        onCompositionEnd={(event) => {
          composing.current = false;
          toUpperCase(event.currentTarget);
        }}
      />
    </div>
  );
}

function toUpperCase(input: HTMLInputElement): void {
  const { value, selectionStart } = input;
  const upper = value.toUpperCase();
  if (upper === value) return;
  // 'ß' becomes two letters, so the caret follows the converted text before it.
  const caret = value.slice(0, selectionStart ?? value.length).toUpperCase().length;
  input.value = upper;
  input.setSelectionRange(caret, caret);
}
