import { evenings } from './evenings.ts';
import { webkit } from './support/webkit.ts';

evenings(webkit);
