import { ActionIcon, Badge, Code, Group, Stack, Switch, Text, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import type { TokenRecord } from '../../../../contract/model.ts';
import { accessVerdict, isExpired } from '../../../../domain/access.ts';
import { ahead, dayOf } from '../../../../texts/admin/formats.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { IconTrash } from '../../../ui/icons/icons.tsx';
import { queries } from '../../api.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import type { Column } from '../../components/live-table/records-table.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { openExtend } from './code-forms.tsx';
import { useCodeButtons } from './hand-over.tsx';
import styles from './page.module.css';
import { useCodeChanges } from './use-code-changes.ts';

const { columns } = tokensTexts;

/** The specification's columns (spec 2 «Token page»). */
export function codeColumns(now: Date): Column<TokenRecord>[] {
  return [
    { key: 'nome', title: columns.nome, lead: true, cell: (token) => <Name token={token} now={now} /> },
    {
      key: 'token',
      title: columns.token,
      cell: ({ token }) => (
        <Code fz="md" className={styles.whole}>
          {token}
        </Code>
      ),
    },
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
  return (
    <ValueWithAction
      trouble={accessi_usati >= max_accessi && tokensTexts.exhausted}
      action={tokensTexts.addAccess}
      nome={nome}
      working={addAccess.isPending}
      onClick={() => addAccess.mutate({ id, max_accessi })}
    >
      <span>{tokensTexts.accesses(accessi_usati, max_accessi)}</span>
    </ValueWithAction>
  );
}

function Expiry({ token, now }: Cell) {
  const { nome, scadenza } = token;
  if (scadenza === null) return tokensTexts.never;
  return (
    <ValueWithAction
      trouble={isExpired(scadenza, now) && tokensTexts.expired}
      action={tokensTexts.extend}
      nome={nome}
      working={false}
      onClick={() => openExtend(token)}
    >
      <time className={styles.whole} dateTime={scadenza} title={ahead(scadenza, now)}>
        {dayOf(scadenza)}
      </time>
    </ValueWithAction>
  );
}

type ValueWithActionProps = {
  /** Reason why the code doesn't open, or false. It emphasizes the action that makes the code usable again. */
  trouble: string | false;
  action: string;
  nome: string;
  working: boolean;
  onClick: () => void;
  children: ReactNode;
};

function ValueWithAction({ trouble, action, nome, working, onClick, children }: ValueWithActionProps) {
  return (
    <div className={styles.pair}>
      <Group gap={6}>
        {children}
        {trouble !== false && (
          <Badge color="red" variant="light" tt="none">
            {trouble}
          </Badge>
        )}
      </Group>
      <BusyButton
        size="compact-sm"
        variant={trouble === false ? 'default' : 'light'}
        aria-label={tokensTexts.of(action, nome)}
        working={working}
        onClick={onClick}
      >
        {action}
      </BusyButton>
    </div>
  );
}

/** Attivo or Disattivo, with a switch. Revoking asks for confirmation while a visit is open. */
function ActiveSwitch({ token: { id, nome, token, attivo } }: { token: TokenRecord }) {
  const { setActive } = useCodeChanges();
  const isInside = useIsInside();
  const isChecking = useRef(false);
  // Shows the new state until the list is refetched. The switch is never disabled, because it would lose the focus.
  const shown = setActive.isPending ? setActive.variables.attivo : attivo;
  const change = (to: boolean) => setActive.mutate({ id, attivo: to });
  const toggle = async () => {
    if (setActive.isPending || isChecking.current) return;
    if (!attivo) return change(true);
    isChecking.current = true;
    const inside = await isInside(token);
    isChecking.current = false;
    if (!inside) return change(false);
    confirmAction({
      question: tokensTexts.revokeQuestion(nome),
      detail: tokensTexts.revokeDetail,
      confirmLabel: tokensTexts.revoke,
      onConfirm: () => change(false),
    });
  };
  return (
    <Switch
      checked={shown}
      label={<span aria-hidden>{shown ? tokensTexts.active : tokensTexts.inactive}</span>}
      aria-label={tokensTexts.of(tokensTexts.active, nome)}
      onChange={() => void toggle()}
    />
  );
}

/** Returns a function that checks on the server for an open visit with a code. It returns true if the check fails. */
function useIsInside() {
  const client = useQueryClient();
  return async (token: string): Promise<boolean> => {
    try {
      const { attive } = await client.fetchQuery(
        queries.sessions.list.queryOptions({ staleTime: 0, retry: false }),
      );
      return attive.some(({ token_value }) => token_value === token);
    } catch {
      return true;
    }
  };
}

/** Buttons to hand over the code, and to delete it. */
function CodeActions({ token }: { token: TokenRecord }) {
  const { remove } = useCodeChanges();
  const askToRemove = () =>
    confirmAction({
      question: tokensTexts.removeQuestion,
      detail: tokensTexts.removeDetail(token.nome),
      confirmLabel: tokensTexts.remove,
      onConfirm: () => remove.mutate({ id: token.id }),
    });
  const removal = { color: 'red', loading: remove.isPending };
  const actions = [
    ...useCodeButtons(token),
    { label: tokensTexts.remove, icon: IconTrash, run: askToRemove, ...removal },
  ];
  return (
    <Group gap={4} wrap="nowrap">
      {actions.map(({ label, icon: Icon, run, ...look }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={tokensTexts.of(label, token.nome)}
            onClick={run}
            {...look}
          >
            <Icon size={20} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}
