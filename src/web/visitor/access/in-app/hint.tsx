import InAppSpy from 'inapp-spy';
import { useState } from 'react';
import { type InApp, inAppPaths, inAppTexts, type RealBrowser } from '../../../../texts/in-app.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { keep, readKept } from '../../../ui/storage.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { wayOut } from './escape.ts';
import styles from './hint.module.css';
import { isTelegram } from './looks-in-app.ts';

const DISMISSED = 'in-app-hint-dismissed';

/** Before the code is spent: proposes the phone's own browser, and stands aside. */
export default function InAppHint() {
  const [dismissed, setDismissed] = useState(() => readKept('sessionStorage', DISMISSED) !== null);
  if (dismissed) return null;
  const browser = realBrowser();
  const inApp = app();
  const out = wayOut(inApp, navigator.userAgent, location.origin);
  const dismiss = () => {
    setDismissed(true);
    keep('sessionStorage', DISMISSED, '1');
  };
  return (
    <aside className={styles.hint}>
      <p className={styles.proposal}>{inAppTexts.proposal(browser)}</p>
      <p className={styles.path}>{inAppPaths[inApp](browser)}</p>
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

function realBrowser(): RealBrowser {
  return /Android/i.test(navigator.userAgent) ? 'Chrome' : 'Safari';
}

function app(): InApp {
  // Where it looks like any web view, the library stops before it looks for Telegram.
  if (isTelegram()) return 'telegram';
  const { appKey } = InAppSpy();
  return appKey !== undefined && isKnown(appKey) ? appKey : 'other';
}

function isKnown(key: string): key is InApp {
  return key in inAppPaths;
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
