import { useEffect, useState } from 'react';
import { planBTexts as texts } from '../../../texts/plan-b.ts';
import type { Outcome } from '../../api/request.ts';
import { request } from '../../api/request.ts';
import { takePass } from '../../ui/take-pass.ts';
import { sendWaiting } from './answers.ts';
import { canKeep, type KeptEvening, keep, keepPage, keptEvening, letGo } from './store.ts';

/** The evening that this phone keeps or kept a moment ago, and what the page has to say in place of its letter. */
type Kept = { evening: KeptEvening | null; said: { title: string; hint: string } | null };

type Tell = (kept: Partial<Kept>) => void;
type There = { version: string | null; key: string };

const said = (title: string, hint: string) => ({ said: { title, hint } });

/** Looks after what this phone keeps whenever the site may be within reach: brings it up to date, or lets go of it. */
export function useKept(): Kept {
  const [kept, setKept] = useState<Kept>({ evening: null, ...said(texts.name, texts.looking) });
  useEffect(() => {
    let gone = false;
    const look = () =>
      void lookAfter(takePass(), (now) => {
        if (!gone) setKept((before) => ({ ...before, ...now }));
      });
    look();
    addEventListener('online', look);
    addEventListener('hashchange', look);
    return () => {
      gone = true;
      removeEventListener('online', look);
      removeEventListener('hashchange', look);
    };
  }, []);
  return kept;
}

async function lookAfter(pass: string | null, tell: Tell): Promise<void> {
  if (!canKeep()) return tell(said(texts.name, texts.cantKeep));
  const here = await keptEvening();
  if (here !== null) tell({ evening: here, said: null });
  // Whether the phone may go on keeping the evening is asked afterwards: answers would go with it.
  await sendWaiting();
  const entered = pass === null ? null : await request('POST', '/plan-b/enter', { body: { pass } });
  const asked = entered?.ok === false ? entered : await tellSite(here);
  if (asked.ok) return bringUpToDate(here, asked.value, tell);
  if (asked.failure.codice !== 'PLAN_B_OVER') {
    if (here === null) tell(said(texts.failedTitle, asked.failure.messaggio));
    return;
  }
  // A pass that is good no more says nothing of the one with which this phone keeps its evening.
  if (entered?.ok === false && here !== null) return;
  await letGo();
  tell(
    here === null && pass === null
      ? said(texts.strangerTitle, texts.stranger)
      : said(texts.overTitle, texts.over),
  );
}

const tellSite = (here: KeptEvening | null): Promise<Outcome<There>> =>
  request('POST', '/plan-b/kept', { body: { version: here?.version ?? null } });

async function bringUpToDate(here: KeptEvening | null, { version, key }: There, tell: Tell): Promise<void> {
  if (version === null) {
    if (here === null) tell(said(texts.noneTitle, texts.none));
    return;
  }
  if (here === null) tell(said(texts.name, texts.keeping));
  try {
    if (here?.version === version && here.key === key) return await keepPage();
    await keep(key);
    const now = await keptEvening();
    if (now === null) return;
    tell({ evening: now, said: null });
    await tellSite(now);
  } catch (error) {
    console.warn(error);
    if (here === null) tell(said(texts.failedTitle, texts.notKept));
  }
}
