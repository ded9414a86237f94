import { useState } from 'react';
import { inAppTexts } from '../../../../texts/devices.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { readStored, writeStored } from '../../../ui/storage.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import styles from './hint.module.css';
import { menuHint, openInBrowserUrl, realBrowser, whichApp } from './which-app.ts';

const DISMISSED = 'in-app-hint-dismissed';

/** Suggests the phone's own browser before the code is spent. Can be dismissed. */
export default function InAppHint() {
  const [dismissed, setDismissed] = useState(() => readStored('sessionStorage', DISMISSED) !== null);
  if (dismissed) return null;
  const browserUrl = openInBrowserUrl(whichApp(), navigator.userAgent, location.origin);
  const dismiss = () => {
    setDismissed(true);
    writeStored('sessionStorage', DISMISSED, '1');
  };
  return (
    <aside className={styles.hint}>
      <p className={styles.proposal}>{inAppTexts.proposal(realBrowser())}</p>
      <p className={styles.path}>{menuHint()}</p>
      <div className={styles.actions}>
        {browserUrl !== null && (
          <a className={buttonClass()} href={browserUrl}>
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
    if (copyBySelection(link)) toastSuccess(inAppTexts.copied);
    else toastError(link, { description: inAppTexts.notCopied, duration: 10_000 });
  }
}

/** Copies without the clipboard API, which some web views don't have. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}
