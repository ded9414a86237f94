import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { TokenRecord } from '../../../../contract/records.ts';
import { accessVerdict, isExpired } from '../../../../domain/access.ts';
import { ahead, dayOf } from '../../../../texts/admin/times.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import type { Column } from '../../components/live-table/records-table.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { ActiveSwitch } from './active-switch.tsx';
import { CodeActions } from './code-actions.tsx';
import styles from './columns.module.css';
import { openExtend } from './extend-dialog.tsx';
import { useCodeChanges } from './use-code-changes.ts';

const { columns } = tokensTexts;

/** The specification's columns (spec 2 «Token page»). */
export function codeColumns(now: Date): Column<TokenRecord>[] {
  return [
    { key: 'nome', title: columns.nome, lead: true, cell: (token) => <Name token={token} now={now} /> },
    { key: 'token', title: columns.token, cell: ({ token }) => <Code className={styles.code}>{token}</Code> },
    { key: 'accessi', title: columns.accessi, cell: (token) => <Accesses token={token} /> },
    { key: 'scadenza', title: columns.scadenza, cell: (token) => <Expiry token={token} now={now} /> },
    { key: 'stato', title: columns.stato, cell: (token) => <ActiveSwitch token={token} /> },
    { key: 'azioni', title: columns.azioni, cell: (token) => <CodeActions token={token} /> },
  ];
}

type Cell = { token: TokenRecord; now: Date };

function Name({ token, now }: Cell) {
  const verdict = accessVerdict(token, now);
  return (
    <Stack gap={2}>
      {token.nome}
      {verdict !== 'ok' && (
        <Text size="sm" c="dimmed" fw={400}>
          {tokensTexts.remedies[verdict]}
        </Text>
      )}
    </Stack>
  );
}

function Accesses({ token: { id, nome, accessi_usati, max_accessi } }: { token: TokenRecord }) {
  const { addAccess } = useCodeChanges();
  const used = accessi_usati >= max_accessi;
  return (
    <div className={styles.pair}>
      <Group gap={6}>
        <span>{tokensTexts.accesses(accessi_usati, max_accessi)}</span>
        {used && <Trouble>{tokensTexts.exhausted}</Trouble>}
      </Group>
      <BusyButton
        {...button(used)}
        aria-label={tokensTexts.of(tokensTexts.addAccess, nome)}
        working={addAccess.isPending}
        onClick={() => addAccess.mutate({ id, max_accessi })}
      >
        {tokensTexts.addAccess}
      </BusyButton>
    </div>
  );
}

function Expiry({ token, now }: Cell) {
  const { nome, scadenza } = token;
  if (scadenza === null) return tokensTexts.never;
  const expired = isExpired(scadenza, now);
  return (
    <div className={styles.pair}>
      <Group gap={6}>
        <time className={styles.date} dateTime={scadenza} title={ahead(scadenza, now)}>
          {dayOf(scadenza)}
        </time>
        {expired && <Trouble>{tokensTexts.expired}</Trouble>}
      </Group>
      <Button
        {...button(expired)}
        aria-label={tokensTexts.of(tokensTexts.extend, nome)}
        onClick={() => openExtend(token)}
      >
        {tokensTexts.extend}
      </Button>
    </div>
  );
}

/** Emphasizes the action that makes the code usable again. */
const button = (needed: boolean) => ({ size: 'compact-sm', variant: needed ? 'light' : 'default' }) as const;

function Trouble({ children }: { children: string }) {
  return (
    <Badge color="red" variant="light" tt="none">
      {children}
    </Badge>
  );
}
