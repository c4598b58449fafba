ALTER TYPE "alert_kind" ADD VALUE 'time_to_first_token_p95' BEFORE 'provider_down';
