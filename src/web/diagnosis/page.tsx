import { useEffect, useState } from 'react';
import { diagnosisTexts as texts } from '../../texts/diagnosis.ts';
import { usePalette } from '../palette.ts';
import { Button } from '../ui/button.tsx';
import { takePass } from '../ui/take-pass.ts';
import { type Entrance, enter } from './calls.ts';
import { readTabProgress } from './progress.ts';
import { Question } from './question.tsx';
import { DiagnosisRun } from './trial.tsx';

/** `/diagnostica`: tests a phone days before the evening, without showing any of it (decision 056). */
export function DiagnosisPage() {
  usePalette('theme');
  useEffect(() => {
    document.title = texts.name;
  }, []);
  const { opening, retry } = useEntrance();
  switch (opening.state) {
    case 'opening':
      return <Question title={texts.name} text={texts.opening} />;
    case 'stranger':
      return <Question title={texts.strangerTitle} text={texts.stranger} />;
    case 'over':
      return <Question title={texts.overTitle} text={texts.over} />;
    case 'failed':
      return (
        <Question title={texts.failedTitle} text={opening.messaggio}>
          <Button onClick={retry}>{texts.retry}</Button>
        </Question>
      );
    case 'open':
      return <DiagnosisRun pass={opening.pass} />;
  }
}

type PageState = { state: 'opening' } | (Entrance & { pass: string | null });

/**
 * Enters with the pass in the address, else with the browser's cookie. After the reload that belongs to the diagnosis, no entry is
 * needed.
 */
function useEntrance(): { opening: PageState; retry: () => void } {
  const [opening, setOpening] = useState<PageState>({ state: 'opening' });
  const [entry, setBrought] = useState<{ pass: string | null }>();
  useEffect(() => {
    const take = () => setBrought({ pass: takePass() });
    const onHash = () => {
      if (location.hash !== '') take();
    };
    take();
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    if (entry === undefined) return;
    let cancelled = false;
    setOpening({ state: 'opening' });
    void enterDiagnosis(entry.pass).then((result) => {
      if (!cancelled) setOpening(result);
    });
    return () => {
      cancelled = true;
    };
  }, [entry]);
  return { opening, retry: () => setBrought((before) => before && { ...before }) };
}

async function enterDiagnosis(pass: string | null): Promise<PageState> {
  const stored = readTabProgress();
  // The next step tests whether the cookie was sent, so the entry must not depend on it.
  if (pass === null && stored !== null && (stored.step === 0 || stored.pass !== null))
    return { state: 'open', pass: stored.pass };
  return { ...(await enter(pass)), pass };
}
