// The worker that reads documents.
import init, * as documents from "./documents.js";
import { serve } from "./worker.js";

serve(init, documents, "documents_bg.wasm");
