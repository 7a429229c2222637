//! Pending approvals, timers and events of a run, and the heartbeats of its sandboxes.

use super::value::{InvalidInput, Kind, Place, ValueSource, list, number};
use runstate::smithers::derive::{ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer};

pub(super) fn pending_approval<S: ValueSource>(found: &Place<S>) -> Result<PendingApproval, InvalidInput> {
    Ok(PendingApproval::new(found.text("nodeId")?, found.number("requestedAtMs")?))
}

pub(super) fn pending_timer<S: ValueSource>(found: &Place<S>) -> Result<PendingTimer, InvalidInput> {
    Ok(PendingTimer::new(found.text("nodeId")?, found.number("firesAtMs")?))
}

pub(super) fn pending_event<S: ValueSource>(found: &Place<S>) -> Result<PendingEvent, InvalidInput> {
    Ok(PendingEvent::new(found.text("nodeId")?, found.text("correlationKey")?))
}

pub(super) fn parked_event_block<S: ValueSource>(found: &Place<S>) -> Result<ParkedEventBlock, InvalidInput> {
    match found.text("kind")?.as_str() {
        "external-trigger" => Ok(ParkedEventBlock::ExternalTrigger),
        "approval-decided-resume-required" => {
            Ok(ParkedEventBlock::ApprovalDecidedResumeRequired { node_id: found.text("nodeId")? })
        }
        _ => {
            let expected = "\"approval-decided-resume-required\" or \"external-trigger\"";
            Err(found.refuse("kind", expected, &found.field("kind").kind()))
        }
    }
}

pub(super) fn sandbox_heartbeats<S: ValueSource>(input: &Place<S>) -> Result<Option<Vec<f64>>, InvalidInput> {
    let value = input.field("sandboxHeartbeats");
    if value.kind() == Kind::Undefined {
        return Ok(None);
    }
    let numbers =
        list(&value, "input.sandboxHeartbeats")?.into_iter().filter_map(|item| number(&item.kind()));
    Ok(Some(numbers.collect()))
}

pub(super) fn optional_object<S: ValueSource, T>(
    input: &Place<S>,
    name: &str,
    read: impl FnOnce(&Place<S>) -> Result<T, InvalidInput>,
) -> Result<Option<T>, InvalidInput> {
    let value = input.field(name);
    match value.kind() {
        Kind::Undefined | Kind::Null => Ok(None),
        Kind::Object => read(&Place::new(&value, name)).map(Some),
        other => Err(input.refuse(name, "an object or null", &other)),
    }
}
