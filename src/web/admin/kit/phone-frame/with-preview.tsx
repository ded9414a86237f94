import { Button } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { phoneTexts } from '../../../../texts/admin/phone.ts';
import styles from './with-preview.module.css';

type WithPreviewProps = {
  preview: ReactNode;
  /** What is edited is long: where the phone stands below it, a button leads there. */
  long?: boolean;
  children: ReactNode;
};

/** What is edited, and beside it (below it on a narrow screen) the phone that shows it. */
export function WithPreview({ preview, long = false, children }: WithPreviewProps) {
  const phone = useRef<HTMLDivElement>(null);
  function show(): void {
    phone.current?.focus({ preventScroll: true });
    phone.current?.scrollIntoView({ block: 'center' });
  }
  return (
    <div className={styles.columns}>
      <div className={styles.edited}>
        {long && (
          <Button
            variant="default"
            className={styles.show}
            leftSection={<IconDeviceMobile size={18} aria-hidden />}
            onClick={show}
          >
            {phoneTexts.show}
          </Button>
        )}
        {children}
      </div>
      <div ref={phone} tabIndex={-1} className={styles.preview}>
        {preview}
      </div>
    </div>
  );
}
