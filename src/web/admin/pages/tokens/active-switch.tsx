import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { TokenRecord } from '../../../../contract/records.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { queries } from '../../api.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import { useCodeChanges } from './use-code-changes.ts';

/** Attivo or Disattivo, with a switch. Revoking asks for confirmation while a visit is open. */
export function ActiveSwitch({ token: { id, nome, token, attivo } }: { token: TokenRecord }) {
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
