import { Button, FileButton, Group, Stack, Textarea } from '@mantine/core';
import { type RefObject, useRef, useState } from 'react';
import { CAPTIONS } from '../../../../../domain/limits.ts';
import { captionTime } from '../../../../../domain/media.ts';
import { captionsTexts as texts } from '../../../../../texts/admin/media.ts';
import { errorSentences } from '../../../../../texts/errors.ts';
import { IconClockPlus, IconFileText } from '../../../../ui/icons/icons.tsx';
import styles from './captions.module.css';

/** Types and extensions of caption files; phones know only some of these. */
const ACCEPTED = '.srt,.vtt,text/vtt,application/x-subrip,text/plain';

type CaptionsTextProps = {
  text: string;
  /** Reason why saving failed. */
  error: string | null;
  /** The film, for its current time. */
  video: RefObject<HTMLVideoElement | null>;
  onChange: (text: string) => void;
};

/** The captions' text, read from a file or typed next to the film. */
export function CaptionsText({ text, error, video, onChange }: CaptionsTextProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (changed: string) => {
    setProblem(null);
    onChange(changed);
  };
  const insert = () => {
    const at = area.current?.selectionStart ?? text.length;
    const { text: changed, caret } = withTime(text, at, video.current?.currentTime ?? 0);
    change(changed);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(caret, caret);
    });
  };
  return (
    <Stack gap="xs">
      <Textarea
        ref={area}
        className={styles.text ?? ''}
        label={texts.text}
        description={texts.hint}
        placeholder={texts.placeholder}
        error={problem ?? error}
        autosize
        minRows={5}
        maxRows={12}
        spellCheck
        lang="it"
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Group gap="xs">
        <ChooseFile onText={change} onProblem={setProblem} />
        <Button
          variant="default"
          size="sm"
          leftSection={<IconClockPlus size={16} aria-hidden />}
          onClick={insert}
        >
          {texts.now}
        </Button>
      </Group>
    </Stack>
  );
}

type ChooseFileProps = { onText: (text: string) => void; onProblem: (problem: string) => void };

/** Reads a file's text into the field, where it can be edited before saving. */
function ChooseFile({ onText, onProblem }: ChooseFileProps) {
  // Allows choosing the same, edited file again.
  const resetInput = useRef<() => void>(null);
  const readChosen = async (file: File | null) => {
    resetInput.current?.();
    if (file === null) return;
    const read = await readFile(file);
    if ('problem' in read) onProblem(read.problem);
    else onText(read.text);
  };
  return (
    <FileButton
      resetRef={resetInput}
      accept={ACCEPTED}
      onChange={(file) => void readChosen(file)}
      inputProps={{ 'aria-label': texts.fileLabel }}
    >
      {(props) => (
        <Button {...props} variant="default" size="sm" leftSection={<IconFileText size={16} aria-hidden />}>
          {texts.file}
        </Button>
      )}
    </FileButton>
  );
}

/** Returns the text in a file, or why there is none. */
async function readFile(file: File): Promise<{ text: string } | { problem: string }> {
  // At most two bytes per character; a larger file is not captions.
  if (file.size > 2 * CAPTIONS.maxChars) return { problem: errorSentences.CAPTIONS_TOO_LARGE };
  try {
    const text = decoded(await file.arrayBuffer());
    return text.includes('\0') ? { problem: errorSentences.CAPTIONS_UNREADABLE } : { text };
  } catch {
    return { problem: texts.fileFailed };
  }
}

/** Default duration of a new caption in seconds; the administrator corrects it. */
const DEFAULT_SECONDS = 3;

/**
 * Inserts a line of times at the caret, as the beginning of a separate caption.
 * @param second start of the caption in the film, in seconds
 * @returns `caret`: position for the caption's text
 */
export function withTime(text: string, at: number, second: number): { text: string; caret: number } {
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).trimStart();
  const begun = `${before}${before === '' ? '' : '\n\n'}${captionTime(second)} --> ${captionTime(second + DEFAULT_SECONDS)}\n`;
  return { text: after === '' ? begun : `${begun}\n\n${after}`, caret: begun.length };
}

/** Decodes a captions file: UTF-16 if it has a byte order mark or zero bytes, UTF-8 if valid, otherwise Windows-1252. */
export function decoded(bytes: ArrayBuffer): string {
  const encoding = utf16In(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 512)));
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function utf16In(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first = 0, second = 0] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = (odd: number) => head.filter((byte, index) => byte === 0 && index % 2 === odd).length;
  const maxZeros = head.length / 4;
  if (zeros(1) > maxZeros && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > maxZeros && zeros(1) === 0 ? 'utf-16be' : null;
}
