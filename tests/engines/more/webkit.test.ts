import { songThatStartsLater } from '../evenings.ts';
import { keepsake } from '../keepsake.ts';
import { phoneTrial } from '../phone-trial.ts';
import { planB } from '../plan-b.ts';
import { webkit } from '../support/webkit.ts';

songThatStartsLater(webkit);
planB(webkit);
keepsake(webkit);
phoneTrial(webkit);
