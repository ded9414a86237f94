import { Button, Modal } from '@mantine/core';
import { IconArrowsMaximize, IconRefresh } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { skyHues } from '../../../../domain/hues.ts';
import { phoneTexts } from '../../../../texts/admin/phone.ts';
import type { SkyPhase } from '../../../scenes/hours.ts';
import { Night } from '../../../scenes/night.tsx';
import styles from './phone-preview.module.css';
import { PhoneScreen } from './phone-screen.tsx';

type PhonePreviewProps = {
  /** What is shown, in a few words: read below the phone, and by screen readers. */
  label: string;
  /** The hour of the evening in which it is seen. */
  hour: SkyPhase;
  /** The hues of its trip's picture, where it has one. */
  hues?: readonly string[] | null;
  /** The visitor's own scenes; the sky under them comes with the phone. */
  children: ReactNode;
};

/** What she will see, on her phone, drawn by her own scenes. Where it is small it can be seen large. */
export function PhonePreview({ label, hour, hues = null, children }: PhonePreviewProps) {
  const [large, setLarge] = useState(false);
  return (
    <>
      <Phone
        label={label}
        hour={hour}
        hues={hues}
        more={
          <Button
            variant="default"
            size="sm"
            className={styles.enlarge}
            leftSection={<IconArrowsMaximize size={16} aria-hidden />}
            onClick={() => setLarge(true)}
          >
            {phoneTexts.enlarge}
          </Button>
        }
      >
        {children}
      </Phone>
      <Modal opened={large} onClose={() => setLarge(false)} title={label} centered>
        <div className={styles.large}>
          <Phone label={label} hour={hour} hues={hues}>
            {children}
          </Phone>
        </div>
      </Modal>
    </>
  );
}

/** A phone with a scene; «Rivedi» plays it again from the beginning. */
function Phone({ label, hour, hues, more, children }: PhonePreviewProps & { more?: ReactNode }) {
  const [run, setRun] = useState(0);
  const [scrolls, setScrolls] = useState(false);
  return (
    <figure className={styles.preview}>
      <div className={styles.phone}>
        <PhoneScreen title={label} onScrolls={setScrolls}>
          <Night hour={hour} hues={{ 1: skyHues(hues ?? null) }}>
            <Fragment key={run}>{children}</Fragment>
          </Night>
        </PhoneScreen>
      </div>
      <figcaption className={styles.caption}>
        <span className={styles.label}>{label}</span>
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => setRun((before) => before + 1)}
        >
          {phoneTexts.replay}
        </Button>
        {more}
        {scrolls && <span className={styles.hint}>{phoneTexts.scrollHint}</span>}
      </figcaption>
    </figure>
  );
}
