import { Badge, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { PASSWORD_LENGTH } from '../../../../domain/limits.ts';
import { ago } from '../../../../texts/admin/formats.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { signInTexts, accountTexts as texts } from '../../../../texts/admin/sign-in.ts';
import type { ApiError } from '../../../api/failure.ts';
import type { RequestResult } from '../../../api/request.ts';
import { deviceOf } from '../../../device.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { queries } from '../../api.ts';
import {
  changeEmail,
  changePassword,
  type Device,
  endOtherSessions,
  listDevices,
} from '../../api-sign-in.ts';
import { Card } from '../../components/card.tsx';
import { DeviceIcon } from '../../components/live-table/device-icon.tsx';
import { useNow } from '../../components/live-table/use-now.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { useRestoreFocus } from '../../components/use-focus-home.ts';
import { BusyButton } from '../../components/working-button.tsx';
import { useSignedIn } from '../../use-signed-in.ts';

/** Update interval of relative times such as «3 minuti fa», in ms. */
const UPDATE_MS = 30_000;

const DEVICES_KEY = ['devices'];

/** `/admin/accesso`: the administrator's password, e-mail and devices. */
export function Page() {
  return (
    <PageFrame {...adminPageTexts['/admin/accesso']}>
      <Stack gap="lg">
        <Password />
        <Email />
        <Devices />
      </Stack>
    </PageFrame>
  );
}

function Password() {
  const queryClient = useQueryClient();
  const [length, setLength] = useState(0);
  return (
    <Card title={texts.password.title} hint={texts.password.hint}>
      <AccountForm
        submit={texts.password.submit}
        done={texts.password.changed}
        send={changePassword}
        onDone={() => {
          setLength(0);
          void queryClient.invalidateQueries({ queryKey: DEVICES_KEY });
        }}
        renderField={(wrong) => (
          <PasswordInput
            label={texts.password.next}
            description={signInTexts.passwordRule(PASSWORD_LENGTH.min, length)}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            name="next"
            size="md"
            autoComplete="new-password"
            onChange={(event) => setLength([...event.currentTarget.value.trim()].length)}
            error={wrong}
          />
        )}
      />
    </Card>
  );
}

function Email() {
  const queryClient = useQueryClient();
  const { data } = useSignedIn();
  return (
    <Card title={texts.email.title} hint={texts.email.hint(data?.email ?? '')}>
      <AccountForm
        submit={texts.email.submit}
        done={texts.email.changed}
        send={changeEmail}
        onDone={() => void queryClient.invalidateQueries({ queryKey: queries.me.queryKey() })}
        renderField={(wrong) => (
          <TextInput
            label={texts.email.next}
            name="next"
            type="email"
            size="md"
            autoComplete="off"
            autoCapitalize="none"
            error={wrong}
          />
        )}
      />
    </Card>
  );
}

/** Devices with a running session, and a form that ends the others. */
function Devices() {
  const queryClient = useQueryClient();
  const query = useQuery({ queryKey: DEVICES_KEY, queryFn: readDevices });
  const list = useRestoreFocus<HTMLDivElement>(query.data?.length);
  const shown = useRef<HTMLDivElement>(null);
  // Keeps the height, so that the page does not move below the finger that pressed.
  const ended = () => {
    if (shown.current !== null) shown.current.style.minHeight = `${shown.current.offsetHeight}px`;
    void queryClient.invalidateQueries({ queryKey: DEVICES_KEY });
  };
  return (
    <Card title={texts.devices.title} hint={texts.devices.hint}>
      <Loaded query={query} loadFailed={texts.devices.loadFailed} shape="rows" count={2}>
        {(devices) => (
          <Stack gap="md" ref={shown}>
            <Stack
              component="ul"
              ref={list}
              tabIndex={-1}
              gap="sm"
              p={0}
              m={0}
              style={{ listStyle: 'none' }}
              aria-label={texts.devices.list}
            >
              {devices.map((device) => (
                <OneDevice key={device.id} device={device} />
              ))}
            </Stack>
            {devices.some(({ current }) => !current) ? (
              <AccountForm
                submit={texts.devices.submit}
                done={texts.devices.ended}
                send={endOtherSessions}
                onDone={ended}
              />
            ) : (
              <Text c="dimmed">{texts.devices.alone}</Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

function OneDevice({ device: { user_agent, current, used_at } }: { device: Device }) {
  const now = useNow(UPDATE_MS);
  const { kind, words } = deviceOf(user_agent);
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <DeviceIcon kind={kind} />
      <div>
        <Group gap="xs">
          <Text fw={600}>{words}</Text>
          {current && (
            <Badge variant="light" color="green" tt="none">
              {texts.devices.current}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {texts.devices.used(current ? ago(now.toISOString(), now) : ago(used_at, now))}
        </Text>
      </div>
    </Group>
  );
}

/** @throws {ApiError} if the list can't be read */
async function readDevices(): Promise<Device[]> {
  const reply = await listDevices();
  if (reply.ok) return reply.value;
  throw reply.failure;
}

type AccountFormProps = {
  submit: string;
  done: string;
  /** Renders the field to change. `wrong`: its error, if any. */
  renderField?: (wrong: string | undefined) => ReactNode;
  /** `next`: value of the field of that name. Both values are trimmed, as at the sign-in (spec 5). */
  send: (password: string, next: string) => Promise<RequestResult<unknown>>;
  onDone: () => void;
};

type AccountFieldError = { field: 'password' | 'next'; sentence: string };

/** A form that changes account data and requires the present password. */
function AccountForm({ submit, done, renderField, send, onDone }: AccountFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [working, setWorking] = useState(false);
  const [wrong, setWrong] = useState<AccountFieldError>();
  const { data } = useSignedIn();

  function refuse(problem: AccountFieldError): void {
    setWrong(problem);
    toastError(problem.sentence);
    const field = form.current?.elements.namedItem(problem.field);
    if (field instanceof HTMLInputElement) field.focus();
  }

  async function submitted(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const [password, next] = [written(event.currentTarget, 'password'), written(event.currentTarget, 'next')];
    if (password === '') return refuse({ field: 'password', sentence: texts.missingPassword });
    setWorking(true);
    const reply = await send(password, next);
    setWorking(false);
    if (!reply.ok) return refuse(wrongOf(reply.failure));
    form.current?.reset();
    toastSuccess(done);
    onDone();
  }
  return (
    <form
      ref={form}
      method="dialog"
      noValidate
      onInput={() => setWrong(undefined)}
      onSubmit={(event) => void submitted(event)}
    >
      {/* Identifies the account for password managers. */}
      <input type="text" autoComplete="username" value={data?.email ?? ''} readOnly hidden />
      <Stack maw="26rem">
        {renderField?.(wrong?.field === 'next' ? wrong.sentence : undefined)}
        <PasswordInput
          label={texts.current}
          name="password"
          size="md"
          autoComplete="current-password"
          error={wrong?.field === 'password' && wrong.sentence}
        />
        <div>
          <BusyButton type="submit" variant="default" working={working}>
            {submit}
          </BusyButton>
        </div>
      </Stack>
    </form>
  );
}

/** Returns the field and sentence for an error. An error about no field is shown at the password, where the administrator retries. */
function wrongOf(failure: ApiError): AccountFieldError {
  if (failure.codice === 'UNREADABLE') return { field: 'password', sentence: texts.failed };
  if (failure.codice === 'BAD_CREDENTIALS') return { field: 'password', sentence: texts.wrongPassword };
  if (failure.codice === 'BAD_INPUT') return { field: 'next', sentence: signInTexts.notAnEmail };
  const ofNext = ['WEAK_PASSWORD', 'LONG_PASSWORD', 'COMMON_PASSWORD', 'EMAIL_TAKEN'];
  return { field: ofNext.includes(failure.codice) ? 'next' : 'password', sentence: failure.messaggio };
}

function written(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}
