import { Button, Modal } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { skyHues } from '../../../../domain/hues.ts';
import { phoneTexts } from '../../../../texts/admin/preview.ts';
import type { SkyPhase } from '../../../scenes/hours.ts';
import { Night } from '../../../scenes/night.tsx';
import { IconArrowsMaximize, IconRefresh } from '../../../ui/icons/icons.tsx';
import styles from './phone-preview.module.css';
import { PhoneScreen } from './phone-screen.tsx';

type PhonePreviewProps = {
  /** Short description, shown below the phone and read by screen readers. */
  label: string;
  /** Phase of the sky in this scene. */
  hour: SkyPhase;
  /** Hues of the trip's picture; null if there is none. */
  hues?: readonly string[] | null;
  /** Called by «Rivedi», in addition to the replay. */
  onReplay?: (() => void) | undefined;
  /** The visitor's scenes; the phone adds the sky below them. */
  children: ReactNode;
};

/** The visitor's scenes on a phone. A shrunk phone can be enlarged. */
export function PhonePreview(phone: PhonePreviewProps) {
  const [large, setLarge] = useState(false);
  return (
    <>
      <Phone
        {...phone}
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
      />
      <Modal opened={large} onClose={() => setLarge(false)} title={phone.label} centered>
        <div className={styles.large}>
          <Phone {...phone} />
        </div>
      </Modal>
    </>
  );
}

/** A phone with a scene; «Rivedi» replays it. */
function Phone({ label, hour, hues, onReplay, more, children }: PhonePreviewProps & { more?: ReactNode }) {
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
          onClick={() => {
            setRun((before) => before + 1);
            onReplay?.();
          }}
        >
          {phoneTexts.replay}
        </Button>
        {more}
        {scrolls && <span className={styles.hint}>{phoneTexts.scrollHint}</span>}
      </figcaption>
    </figure>
  );
}
