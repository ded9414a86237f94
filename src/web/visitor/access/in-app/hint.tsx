import { useState } from 'react';
import { inAppTexts } from '../../../../texts/in-app.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { keep, readKept } from '../../../ui/storage.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import styles from './hint.module.css';
import { realBrowser, wayOut, wayThroughMenu, whichApp } from './which-app.ts';

const DISMISSED = 'in-app-hint-dismissed';

/** Before the code is spent: proposes the phone's own browser, and stands aside. */
export default function InAppHint() {
  const [dismissed, setDismissed] = useState(() => readKept('sessionStorage', DISMISSED) !== null);
  if (dismissed) return null;
  const out = wayOut(whichApp(), navigator.userAgent, location.origin);
  const dismiss = () => {
    setDismissed(true);
    keep('sessionStorage', DISMISSED, '1');
  };
  return (
    <aside className={styles.hint}>
      <p className={styles.proposal}>{inAppTexts.proposal(realBrowser())}</p>
      <p className={styles.path}>{wayThroughMenu()}</p>
      <div className={styles.actions}>
        {out !== null && (
          <a className={buttonClass()} href={out}>
            {inAppTexts.open}
          </a>
        )}
        <Button look="quiet" onClick={() => void copyLink()}>
          {inAppTexts.copy}
        </Button>
        <Button look="quiet" onClick={dismiss}>
          {inAppTexts.stay}
        </Button>
      </div>
    </aside>
  );
}

async function copyLink(): Promise<void> {
  const link = `${location.origin}/`;
  try {
    await navigator.clipboard.writeText(link);
    toastSuccess(inAppTexts.copied);
  } catch {
    if (copiedTheOldWay(link)) toastSuccess(inAppTexts.copied);
    else toastError(link, { description: inAppTexts.notCopied, duration: 10_000 });
  }
}

/** Web views without the clipboard API still know this one. */
function copiedTheOldWay(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}
