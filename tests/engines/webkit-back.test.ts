import { backAtEveryStage } from './evenings.ts';
import { webkit } from './support/webkit.ts';

backAtEveryStage(webkit);
