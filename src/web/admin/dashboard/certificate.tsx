import { Alert, Stack, Text } from '@mantine/core';
import { IconLockExclamation } from '@tabler/icons-react';
import type { CertificateState } from '../../../contract/admin/certificate.ts';
import { certificateTexts as texts, troubleWords } from '../../../texts/certificate.ts';
import { useNow } from '../components/live-table/use-now.ts';
import styles from './page.module.css';

/** Interval in ms at which the certificate's expiry is checked. */
const POLL_MS = 60_000;

/** A problem with the site's certificate and its solution. Renders nothing if the certificate is valid. */
export function Certificate({ state }: { state: CertificateState }) {
  const now = useNow(POLL_MS);
  const { trouble, valid_until } = state;
  const serves = valid_until !== null && new Date(valid_until) > now;
  if (serves && trouble === null) return null;
  return (
    <Alert
      role={trouble === null ? 'note' : 'alert'}
      color={serves ? 'orange' : 'red'}
      icon={<IconLockExclamation aria-hidden />}
      title={valid_until === null ? texts.title : texts.titleOld}
    >
      <Stack gap="xs">
        {trouble === null ? (
          <Text>{texts.requesting}</Text>
        ) : (
          <Trouble trouble={trouble} next={state.next_try} />
        )}
        {valid_until !== null && (
          <Text>{serves ? texts.servesUntil(valid_until) : texts.expired(valid_until)}</Text>
        )}
      </Stack>
    </Alert>
  );
}

type TroubleProps = { trouble: NonNullable<CertificateState['trouble']>; next: string | null };

function Trouble({ trouble, next }: TroubleProps) {
  const { what, todo } = troubleWords(trouble);
  return (
    <>
      <Text className={styles.told}>{what}</Text>
      <Text className={styles.told}>
        {todo} {next === null ? texts.soon : texts.nextTry(next)}
      </Text>
      {trouble.detail !== null && (
        <details>
          <summary className={styles.said}>{texts.originalMessage}</summary>
          <Text size="sm" className={styles.told}>
            {trouble.detail}
          </Text>
        </details>
      )}
    </>
  );
}
