#include "scheduler/admission/admission.hpp"

#include "scheduler/admission/admission_impl.hpp"

namespace heddle::scheduler {

template class BasicAdmission<AllRules>;

}  // namespace heddle::scheduler
