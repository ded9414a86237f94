import { useInViewport } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { skyHues } from '../../../../domain/hues.ts';
import type { SkyPhase } from '../../../scenes/hours.ts';
import { Night } from '../../../scenes/night.tsx';
import { PhoneScreen } from '../phone-frame/phone-screen.tsx';
import styles from './still.module.css';

type StillProps = {
  /** Short description of the picture. */
  title: string;
  hour: SkyPhase;
  /** Colours of the trip's picture; null if there is none. */
  hues: readonly string[] | null;
  children: ReactNode;
};

/** A picture of a scene on the visitor's phone, drawn when it first comes into view. */
export function SceneThumbnail({ title, hour, hues, children }: StillProps) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [drawn, setDrawn] = useState(false);
  if (inViewport && !drawn) setDrawn(true);
  return (
    <div ref={ref} className={styles.still}>
      {drawn && (
        <PhoneScreen title={title}>
          <Night hour={hour} hues={{ 1: skyHues(hues) }} calm>
            {children}
          </Night>
        </PhoneScreen>
      )}
    </div>
  );
}
